SELECT first.id AS id, documents.id AS documentId, min(snapshots.final_url) AS url, substr(documents.title, 1, ?) AS title, nullif(snapshots.meta ->> '$.pages.first', 1) AS page, (SELECT max(document_chunks.id) FROM document_chunks WHERE document_chunks.document_id = documents.id AND (documents.rest_start IS NULL OR document_chunks.first_line < documents.rest_start)) AS lastId FROM json_each(?) AS wanted JOIN document_chunks AS first ON first.id = wanted.value JOIN documents ON documents.id = first.document_id AND (documents.owner IS NULL OR documents.owner = ?) JOIN snapshots ON snapshots.document_id = documents.id AND length(snapshots.final_url) <= ? GROUP BY documents.id;

SELECT id, first_line AS firstLine, substr(body, 1, ?) AS body FROM document_chunks WHERE id IN (SELECT value FROM json_each(?));

delete from "access_tokens" where "access_tokens"."expires_at" <= ?;

delete from "documents" where documents.id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id) AND NOT EXISTS (SELECT 1 FROM citations WHERE citations.document_id = documents.id) AND (documents.held_until <= ? OR documents.owner IS NOT NULL) returning "id", "byte_count";

delete from "robots" where "robots"."expires_at" <= ?;

delete from "search_cache" where "search_cache"."expires_at" <= ?;

delete from "search_words" where rowid IN (SELECT document_chunks.id FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id WHERE documents.id = (SELECT document_id FROM snapshots WHERE key = ?) AND documents.id <> ? AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id AND snapshots.key <> ?) AND documents.indexed <> ?);

delete from "search_words" where rowid IN (SELECT document_chunks.id FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id WHERE documents.id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id) AND documents.indexed <> ?);

delete from "search_words" where rowid IN (SELECT numbered.id FROM (SELECT document_chunks.id AS id, row.value ->> 1 AS words FROM json_each(?) AS row JOIN document_chunks ON document_chunks.document_id = ? AND document_chunks.first_line = row.value ->> 0) AS numbered JOIN document_chunks AS chunk ON chunk.id = numbered.id JOIN documents ON documents.id = chunk.document_id AND documents.indexed = ?);

delete from "site_facts" where "site_facts"."expires_at" <= ?;

delete from "snapshots" where ("snapshots"."key", "snapshots"."fetched_at") IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)) returning "key", "document_id";

insert into "citations" ("id", "subject", "cursor", "document_id", "url", "title", "first_line", "last_line", "quote", "around", "note", "fetched_at", "is_live", "url_by_script", "created_at", "share_id", "shared_at") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, null) on conflict ("citations"."id") do update set "note" = coalesce(excluded.note, "citations"."note"), "url_by_script" = coalesce("citations"."url_by_script", excluded.url_by_script) returning "id", "subject", "cursor", "document_id", "url", "title", "first_line", "last_line", "quote", "around", "note", "fetched_at", "is_live", "url_by_script", "created_at", "share_id", "shared_at";

insert into "document_chunks" ("id", "document_id", "first_line", "last_line", "body") values (null, ?, ?, ?, ?) on conflict do nothing;

insert into "documents" ("id", "title", "line_count", "rest_start", "byte_count", "outline", "extractor", "cuts", "owner", "created_at", "held_until", "indexed") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ("documents"."id") do update set "held_until" = max("documents"."held_until", excluded.held_until);

insert into "people" ("subject", "account") values (?, ?) on conflict ("people"."subject") do nothing;

insert into "robots" ("origin", "outcome", "body", "expires_at") values (?, ?, ?, ?) on conflict ("robots"."origin") do update set "origin" = ?, "outcome" = ?, "body" = ?, "expires_at" = ?;

insert into "search_words" ("rowid", "words") SELECT numbered.id, numbered.words FROM (SELECT document_chunks.id AS id, row.value ->> 1 AS words FROM json_each(?) AS row JOIN document_chunks ON document_chunks.document_id = ? AND document_chunks.first_line = row.value ->> 0) AS numbered JOIN document_chunks AS chunk ON chunk.id = numbered.id JOIN documents ON documents.id = chunk.document_id AND documents.indexed = ?;

insert into "site_facts" ("origin", "llms_txt", "markdown_pages", "expires_at") values (?, ?, ?, ?) on conflict ("site_facts"."origin") do update set "origin" = ?, "llms_txt" = ?, "markdown_pages" = ?, "expires_at" = ?;

insert into "snapshots" ("key", "url", "final_url", "mode", "document_id", "etag", "last_modified", "fetched_at", "validated_at", "meta", "privacy_rule") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ("snapshots"."key") do update set "key" = ?, "url" = ?, "final_url" = ?, "mode" = ?, "document_id" = ?, "etag" = ?, "last_modified" = ?, "fetched_at" = ?, "validated_at" = ?, "meta" = ?, "privacy_rule" = ?;

select "body" from "search_cache" where ("search_cache"."key" = ? and "search_cache"."expires_at" > ?);

select "byte_count", "held_until", "owner", EXISTS (SELECT 1 FROM citations WHERE citations.document_id = documents.id), EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id AND snapshots.key NOT IN (SELECT value FROM json_each(?))) from "documents" where documents.id IN (SELECT value FROM json_each(?));

select "created_at", "owner", "line_count", "rest_start", EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id AND snapshots.mode = ?) from "documents" where "documents"."id" = ?;

select "documents"."id", "snapshots"."url", "snapshots"."final_url", "snapshots"."meta" from "snapshots" inner join "documents" on "documents"."id" = "snapshots"."document_id" where ("documents"."id" IN (SELECT value FROM json_each(?)) and "documents"."owner" is null and "snapshots"."privacy_rule" < ?);

select "final_url", "fetched_at" from "snapshots" where "snapshots"."document_id" = ? limit ?;

select "id", "byte_count" from "documents" where ("documents"."held_until" <= ? and not EXISTS (SELECT 1 FROM citations WHERE citations.document_id = documents.id) and NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id AND snapshots.mode <> ?)) order by "documents"."held_until" asc limit ?;

select "id", "document_id", "first_line", "last_line", "body" from "document_chunks" where ("document_chunks"."document_id" = ? and "document_chunks"."first_line" > ?) order by "document_chunks"."first_line" asc limit ?;

select "id", "document_id", "first_line", "last_line", "body" from "document_chunks" where ("document_chunks"."document_id" = ? and "document_chunks"."first_line" >= (select max("first_line") from "document_chunks" where ("document_chunks"."document_id" = ? and "document_chunks"."first_line" <= ?)) and "document_chunks"."first_line" <= ?) order by "document_chunks"."first_line" asc;

select "id", "held_until", EXISTS (SELECT 1 FROM citations WHERE citations.document_id = documents.id) from "documents" where documents.id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id);

select "id", "subject", "cursor", "document_id", "url", "title", "first_line", "last_line", "quote", "around", "note", "fetched_at", "is_live", "url_by_script", "created_at", "share_id", "shared_at" from "citations" where ("citations"."subject" = ? and "citations"."id" = ?) order by "citations"."share_id" IS NULL, "citations"."created_at" desc limit ?;

select "id", "title", "byte_count", "owner" from "documents" where ("documents"."indexed" = ? and "documents"."id" > ?) order by "documents"."id" limit ?;

select "id", "title", "line_count", "rest_start", "byte_count", "outline", "extractor", "cuts", "owner", "created_at", "held_until", "indexed" from "documents" where "documents"."id" = ?;

select "origin", "llms_txt", "markdown_pages", "expires_at" from "site_facts" where "site_facts"."origin" = ?;

select "origin", "outcome", "body", "expires_at" from "robots" where "robots"."origin" = ?;

select "snapshots"."key", "snapshots"."url", "snapshots"."fetched_at", "snapshots"."document_id", "documents"."byte_count", count(*) OVER () from "snapshots" inner join "documents" on "documents"."id" = "snapshots"."document_id" where (("documents"."owner" is null or "documents"."owner" = ?) and (substr('.' || substr(substr(substr("snapshots"."url", instr("snapshots"."url", '//') + 2), 1, instr(substr("snapshots"."url", instr("snapshots"."url", '//') + 2) || '/', '/') - 1), 1, instr(substr(substr("snapshots"."url", instr("snapshots"."url", '//') + 2), 1, instr(substr("snapshots"."url", instr("snapshots"."url", '//') + 2) || '/', '/') - 1) || ':', ':') - 1), ?) = ? OR substr('.' || substr(substr(substr("snapshots"."final_url", instr("snapshots"."final_url", '//') + 2), 1, instr(substr("snapshots"."final_url", instr("snapshots"."final_url", '//') + 2) || '/', '/') - 1), 1, instr(substr(substr("snapshots"."final_url", instr("snapshots"."final_url", '//') + 2), 1, instr(substr("snapshots"."final_url", instr("snapshots"."final_url", '//') + 2) || '/', '/') - 1) || ':', ':') - 1), ?) = ?)) order by "snapshots"."fetched_at" DESC, "snapshots"."key" limit ?;

select "snapshots"."key", "snapshots"."url", "snapshots"."final_url", "snapshots"."mode", "snapshots"."document_id", "snapshots"."etag", "snapshots"."last_modified", "snapshots"."fetched_at", "snapshots"."validated_at", "snapshots"."meta", "snapshots"."privacy_rule", "documents"."id", "documents"."title", "documents"."line_count", "documents"."rest_start", "documents"."byte_count", "documents"."outline", "documents"."extractor", "documents"."cuts", "documents"."owner", "documents"."created_at", "documents"."held_until", "documents"."indexed" from "snapshots" inner join "documents" on "documents"."id" = "snapshots"."document_id" where "snapshots"."key" IN (SELECT value FROM json_each(?));

select "snapshots"."key", "snapshots"."url", "snapshots"."final_url", "snapshots"."mode", "snapshots"."document_id", "snapshots"."etag", "snapshots"."last_modified", "snapshots"."fetched_at", "snapshots"."validated_at", "snapshots"."meta", "snapshots"."privacy_rule", "documents"."owner", "documents"."byte_count" from "snapshots" inner join "documents" on "documents"."id" = "snapshots"."document_id" where "snapshots"."privacy_rule" < ? limit ?;

select coalesce(sum("byte_count"), 0) from "documents";

select count(*), count("share_id"), (SELECT coalesce(sum(byte_count), 0) FROM documents WHERE id IN (SELECT document_id FROM citations WHERE subject = ?)) from "citations" where "citations"."subject" = ?;

select json_group_array(id) from (SELECT rowid AS id FROM search_words WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT ?);

update "citations" set "share_id" = coalesce("citations"."share_id", ?), "shared_at" = coalesce("citations"."shared_at", ?) where ("citations"."subject" = ? and "citations"."id" = ?) returning "id", "subject", "cursor", "document_id", "url", "title", "first_line", "last_line", "quote", "around", "note", "fetched_at", "is_live", "url_by_script", "created_at", "share_id", "shared_at";

update "documents" set "held_until" = max("documents"."held_until", ?) where "documents"."id" = ? returning "id";

update "documents" set "held_until" = max("documents"."held_until", ?) where "documents"."id" IN (SELECT document_id FROM snapshots WHERE key IN (SELECT value FROM json_each(?))) returning "id";

update "documents" set "indexed" = ? where documents.id = (SELECT document_id FROM snapshots WHERE key = ?) AND documents.id <> ? AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id AND snapshots.key <> ?) AND documents.indexed <> ?;

update "documents" set "indexed" = ? where documents.id = ? AND documents.indexed = ?;

update "documents" set "indexed" = ? where documents.id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id) AND documents.indexed <> ?;

update "documents" set "indexed" = ? where indexed = ? AND id IN (SELECT value FROM json_each(?));
