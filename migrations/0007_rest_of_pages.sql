ALTER TABLE `documents` ADD `rest_start` integer;--> statement-breakpoint
-- Of a document, the index holds the main part; a rebuild must see the same.
DROP VIEW search_source;
--> statement-breakpoint
CREATE VIEW search_source AS
  SELECT document_chunks.id AS id, documents.title AS title, document_chunks.body AS body
  FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id
  WHERE documents.indexed = 1
    AND (documents.rest_start IS NULL OR document_chunks.first_line < documents.rest_start);
