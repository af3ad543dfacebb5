CREATE TABLE `ended_sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `people` (
	`subject` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `people` (`subject`, `account`) SELECT `subject`, `account` FROM (SELECT `subject`, `account`, max(`created_at`) FROM `access_tokens` GROUP BY `subject`);
--> statement-breakpoint
INSERT OR IGNORE INTO `people` (`subject`, `account`) SELECT DISTINCT `subject`, '{"way":"passphrase"}' FROM `citations` WHERE `subject` LIKE 'o!_%' ESCAPE '!';
