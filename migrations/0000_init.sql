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
	`byte_count` integer NOT NULL,
	`extractor` text NOT NULL,
	`cuts` text NOT NULL,
	`owner` text,
	`created_at` integer NOT NULL,
	`held_until` integer NOT NULL,
	`indexed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `documents_held_until` ON `documents` (`held_until`);--> statement-breakpoint
CREATE TABLE `robots` (
	`origin` text PRIMARY KEY NOT NULL,
	`outcome` text NOT NULL,
	`body` blob NOT NULL,
	`expires_at` integer NOT NULL
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
