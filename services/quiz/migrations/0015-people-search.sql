-- Searches of people ignore accents and find full names and numbers (D57).

\ir ../../../shared/migrations/people_search-1.sql
\ir ../../../shared/migrations/people-2.sql
