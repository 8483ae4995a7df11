/** Booleans are stored as numbers: SQLite has no others, and PostgreSQL does the same here. */
export type Flag = 0 | 1;
