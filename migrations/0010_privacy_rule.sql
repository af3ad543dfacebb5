ALTER TABLE `snapshots` ADD `privacy_rule` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `snapshots_by_privacy_rule` ON `snapshots` (`privacy_rule`);