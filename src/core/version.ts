export const VERSION = '0.2.0';
export const REPOSITORY = 'https://github.com/OWNER/periscope';
