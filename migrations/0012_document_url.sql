ALTER TABLE `citations` ADD `url_by_script` integer;
--> statement-breakpoint
-- Rendered pages were stored under the address that their scripts showed. The one that was asked for did answer.
UPDATE `snapshots` SET `final_url` = `url`
WHERE `final_url` <> `url` AND json_extract(`meta`, '$.rendering.outcome') = 'shown';
