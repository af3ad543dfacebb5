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
ALTER TABLE `people` ADD `seen_at` integer;--> statement-breakpoint
CREATE INDEX `documents_by_owner` ON `documents` (`owner`) WHERE owner IS NOT NULL;