-- Every word of the word index begins with three characters that stand for its session and its part of the messages, so
-- that no word has more entries than a part has messages: a step of merging stays short, and a search reads few entries. The
-- prefix index counts these three. The hub fills the new index from the beginning, in the background. Hubs that do not know
-- this would find nothing in it.
drop table message_word;
create virtual table message_word using fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = 6);
update watermark set n = 0 where name = 'search';

-- The writer merges in short steps of its own; an insert never does.
insert into message_word (message_word, rank) values ('automerge', 0), ('crisismerge', 1000);
