CREATE TABLE `search_cache` (
	`key` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `search_cache_by_expiry` ON `search_cache` (`expires_at`);