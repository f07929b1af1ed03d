-- When courses finished, for the retention of their submissions.

\ir ../../../shared/migrations/finished_courses-1.sql
