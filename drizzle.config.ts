import { defineConfig } from 'drizzle-kit';

// For `npx drizzle-kit export` alone, which prints the tables as SQL: migrations are written by hand from it, because what
// was released is never generated anew.
export default defineConfig({ dialect: 'sqlite', schema: './src/store/sqlite/*tables.ts' });
