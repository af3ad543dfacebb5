CREATE TABLE `site_facts` (
	`origin` text PRIMARY KEY NOT NULL,
	`llms_txt` text,
	`markdown_pages` text NOT NULL,
	`expires_at` integer NOT NULL
);
