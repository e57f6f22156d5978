// The page's policy allows no code made of text. Schemas must know that before the first of them is made.
import { config } from 'zod';

config({ jitless: true });
