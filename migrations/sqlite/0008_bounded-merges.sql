-- Works for hubs from: 5
-- The writer merges the word index in short steps of its own; an insert never does. Hubs that do not know this merge only at the
-- crisis, and search more slowly meanwhile.
insert into message_word (message_word, rank) values ('automerge', 0), ('crisismerge', 1000);
