-- A rebuild of the full-text index reads this view: it must see exactly the documents that belong in the index.
DROP VIEW search_source;
--> statement-breakpoint
CREATE VIEW search_source AS
  SELECT document_chunks.id AS id, documents.title AS title, document_chunks.body AS body
  FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id
  WHERE documents.indexed = 1;
