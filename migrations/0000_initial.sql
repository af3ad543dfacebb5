CREATE TABLE `access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`subject` text NOT NULL,
	`account` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_by_hash` ON `access_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `access_tokens_by_subject` ON `access_tokens` (`subject`);--> statement-breakpoint
CREATE INDEX `access_tokens_by_expiry` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `admissions` (
	`id` text PRIMARY KEY NOT NULL,
	`verdict` text,
	`account` text,
	`note` text,
	`ended_at` integer DEFAULT 0 NOT NULL,
	`decided_at` integer NOT NULL,
	`erasing` text,
	`erasing_since` integer
);
--> statement-breakpoint
CREATE INDEX `admissions_erasing` ON `admissions` (`erasing`) WHERE erasing IS NOT NULL;--> statement-breakpoint
CREATE TABLE `citations` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`cursor` text NOT NULL,
	`document_id` text NOT NULL,
	`url` text NOT NULL,
	`title` text,
	`first_line` integer NOT NULL,
	`last_line` integer NOT NULL,
	`quote` text NOT NULL,
	`around` text NOT NULL,
	`note` text,
	`fetched_at` integer NOT NULL,
	`is_live` integer NOT NULL,
	`url_by_script` integer,
	`created_at` integer NOT NULL,
	`share_id` text,
	`member_share_id` text,
	`shared_at` integer,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `citations_by_subject` ON `citations` (`subject`,`created_at`);--> statement-breakpoint
CREATE INDEX `citations_by_document` ON `citations` (`document_id`);--> statement-breakpoint
CREATE INDEX `citations_by_cursor` ON `citations` (`subject`,`cursor`);--> statement-breakpoint
CREATE UNIQUE INDEX `citations_by_share` ON `citations` (`share_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `citations_by_member_share` ON `citations` (`member_share_id`);--> statement-breakpoint
CREATE INDEX `citations_shared_by_cursor` ON `citations` (`cursor`) WHERE share_id IS NOT NULL OR member_share_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `document_anchors` (
	`document_id` text PRIMARY KEY NOT NULL,
	`anchors` text NOT NULL,
	`later` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `document_chunks` (
	`id` integer PRIMARY KEY NOT NULL,
	`document_id` text NOT NULL,
	`first_line` integer NOT NULL,
	`last_line` integer NOT NULL,
	`body` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `document_chunks_by_line` ON `document_chunks` (`document_id`,`first_line`);--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text,
	`line_count` integer NOT NULL,
	`rest_start` integer,
	`byte_count` integer NOT NULL,
	`outline` text NOT NULL,
	`extractor` text NOT NULL,
	`cuts` text NOT NULL,
	`owner` text,
	`created_at` integer NOT NULL,
	`held_until` integer NOT NULL,
	`indexed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `documents_held_until` ON `documents` (`held_until`);--> statement-breakpoint
CREATE INDEX `documents_due` ON `documents` (`id`) WHERE indexed = 2;--> statement-breakpoint
CREATE INDEX `documents_by_owner` ON `documents` (`owner`) WHERE owner IS NOT NULL;--> statement-breakpoint
CREATE TABLE `ended_sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`note` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `invitations_by_subject` ON `invitations` (`subject`);--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `people` (
	`subject` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`last_seen_at` integer NOT NULL,
	`zone` text
);
--> statement-breakpoint
CREATE TABLE `robots` (
	`origin` text PRIMARY KEY NOT NULL,
	`outcome` text NOT NULL,
	`body` blob NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `search_cache` (
	`key` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `search_cache_by_expiry` ON `search_cache` (`expires_at`);--> statement-breakpoint
CREATE TABLE `site_facts` (
	`origin` text PRIMARY KEY NOT NULL,
	`llms_txt` text,
	`markdown_pages` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `site_facts_by_expiry` ON `site_facts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `site_rules` (
	`subject` text PRIMARY KEY NOT NULL,
	`list` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `snapshots` (
	`key` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`final_url` text NOT NULL,
	`mode` text NOT NULL,
	`document_id` text NOT NULL,
	`etag` text,
	`last_modified` text,
	`fetched_at` integer NOT NULL,
	`validated_at` integer NOT NULL,
	`meta` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `snapshots_by_document` ON `snapshots` (`document_id`);--> statement-breakpoint
CREATE INDEX `snapshots_by_url` ON `snapshots` (`url`);--> statement-breakpoint
CREATE TABLE `tool_counters` (
	`day` text NOT NULL,
	`tool` text NOT NULL,
	`outcome` text NOT NULL,
	`calls` integer NOT NULL,
	`cache_hits` integer NOT NULL,
	`total_ms` integer NOT NULL,
	`ms_50` integer NOT NULL,
	`ms_100` integer NOT NULL,
	`ms_250` integer NOT NULL,
	`ms_500` integer NOT NULL,
	`ms_1000` integer NOT NULL,
	`ms_2500` integer NOT NULL,
	`ms_5000` integer NOT NULL,
	`ms_10000` integer NOT NULL,
	`ms_more` integer NOT NULL,
	PRIMARY KEY(`day`, `tool`, `outcome`)
);
--> statement-breakpoint
CREATE TABLE `change_reports` (
	`subject` text PRIMARY KEY NOT NULL,
	`target` blob NOT NULL,
	`every` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`outcome` text,
	`sent_at` integer
);
--> statement-breakpoint
CREATE INDEX `change_reports_due` ON `change_reports` (`next_at`);--> statement-breakpoint
CREATE TABLE `follow_changes` (
	`follow` text NOT NULL,
	`key` text NOT NULL,
	`round` integer NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`moved_to` text,
	`title` text,
	`problem` text,
	`before_document` text,
	`after_document` text,
	`blocks` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`follow`, `key`, `round`),
	FOREIGN KEY (`follow`) REFERENCES `follows`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`before_document`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`after_document`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `follow_changes_by_time` ON `follow_changes` (`follow`,`at`);--> statement-breakpoint
CREATE INDEX `follow_changes_by_before` ON `follow_changes` (`before_document`);--> statement-breakpoint
CREATE INDEX `follow_changes_by_after` ON `follow_changes` (`after_document`);--> statement-breakpoint
CREATE TABLE `follow_feeds` (
	`hash` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`follow` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`follow`) REFERENCES `follows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `follow_feeds_by_subject` ON `follow_feeds` (`subject`);--> statement-breakpoint
CREATE TABLE `follow_pages` (
	`follow` text NOT NULL,
	`key` text NOT NULL,
	`place` integer NOT NULL,
	`url` text NOT NULL,
	`via` text NOT NULL,
	`names` text,
	`document_id` text,
	`final_url` text,
	`title` text,
	`state` text NOT NULL,
	`problem` text,
	`missing` integer DEFAULT 0 NOT NULL,
	`written_round` integer DEFAULT 0 NOT NULL,
	`outcome` text,
	PRIMARY KEY(`follow`, `key`),
	FOREIGN KEY (`follow`) REFERENCES `follows`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `follow_pages_by_place` ON `follow_pages` (`follow`,`place`);--> statement-breakpoint
CREATE INDEX `follow_pages_by_document` ON `follow_pages` (`document_id`);--> statement-breakpoint
CREATE TABLE `follows` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`url` text NOT NULL,
	`scope` text NOT NULL,
	`prefix` text NOT NULL,
	`contains` text,
	`pages_max` integer NOT NULL,
	`every_hours` integer NOT NULL,
	`origin` text NOT NULL,
	`title` text,
	`created_at` integer NOT NULL,
	`round` integer DEFAULT 0 NOT NULL,
	`run` text,
	`started_at` integer,
	`ended_at` integer,
	`next_at` integer NOT NULL,
	`found` text NOT NULL,
	`result` text,
	`varying` text NOT NULL,
	`is_shared` integer DEFAULT false NOT NULL,
	`reported_round` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `follows_by_address` ON `follows` (`subject`,`url`,`scope`);--> statement-breakpoint
CREATE INDEX `follows_due` ON `follows` (`next_at`);--> statement-breakpoint
CREATE INDEX `follows_under_way` ON `follows` (`run`) WHERE run IS NOT NULL;--> statement-breakpoint
-- The full-text index: the words of the main part of each page, each once, and no text. A row is removed by its number.
CREATE VIRTUAL TABLE search_words USING fts5(
  words,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = 'ascii'
);
