import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/storage/schema.ts', './src/storage/library/schema.ts'],
  out: './migrations',
});
