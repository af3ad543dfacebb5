export const SERVER_NAME = 'periscope';
export const SERVER_TITLE = 'Periscope';
export const VERSION = '0.1.0';
