-- The full-text index keeps words of the main part of each page, each once, and no text: a row goes by its number alone.
DROP TABLE search_index;
--> statement-breakpoint
DROP VIEW search_source;
--> statement-breakpoint
CREATE VIRTUAL TABLE search_words USING fts5(
  words,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = 'ascii'
);
--> statement-breakpoint
-- What was in the old index is due for the new one; searches and the hourly run put it there.
UPDATE documents SET indexed = 2 WHERE indexed = 1;
--> statement-breakpoint
CREATE INDEX documents_due ON documents (id) WHERE indexed = 2;
