-- Full-text index over the chunks of public documents. External content: the text is stored once, in document_chunks.
CREATE VIEW search_source AS
  SELECT document_chunks.id AS id, documents.title AS title, document_chunks.body AS body
  FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id;
--> statement-breakpoint
CREATE VIRTUAL TABLE search_index USING fts5(
  title,
  body,
  content = 'search_source',
  content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
