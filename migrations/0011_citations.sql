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
	`created_at` integer NOT NULL,
	`share_id` text,
	`shared_at` integer,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `citations_by_subject` ON `citations` (`subject`,`created_at`);--> statement-breakpoint
CREATE INDEX `citations_by_document` ON `citations` (`document_id`);--> statement-breakpoint
CREATE INDEX `citations_by_cursor` ON `citations` (`subject`,`cursor`);--> statement-breakpoint
CREATE UNIQUE INDEX `citations_by_share` ON `citations` (`share_id`);