CREATE TABLE `document_anchors` (
	`document_id` text PRIMARY KEY NOT NULL,
	`anchors` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `documents` ADD `outline` text;