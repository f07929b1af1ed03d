-- Searches for people ignore accents and match full names and numbers (D57).

\ir ../../../shared/migrations/people_search-1.sql
\ir ../../../shared/migrations/people-2.sql
