ALTER TABLE `citations` ADD `member_share_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `citations_by_member_share` ON `citations` (`member_share_id`);--> statement-breakpoint
CREATE INDEX `citations_shared_by_cursor` ON `citations` (`cursor`) WHERE share_id IS NOT NULL OR member_share_id IS NOT NULL;