-- Searches of people ignore accents and find full names and numbers (D57).

\ir ../../../shared/migrations/people_search-1.sql

ALTER TABLE users ADD COLUMN search_text text COLLATE "C"
  GENERATED ALWAYS AS (people_search_text(first_name, last_name, email, mobile)) STORED;
