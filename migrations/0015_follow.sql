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
	`token` text PRIMARY KEY NOT NULL,
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
	`is_shared` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `follows_by_address` ON `follows` (`subject`,`url`,`scope`);--> statement-breakpoint
CREATE INDEX `follows_due` ON `follows` (`next_at`);--> statement-breakpoint
CREATE INDEX `follows_under_way` ON `follows` (`run`) WHERE run IS NOT NULL;