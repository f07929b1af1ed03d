-- Files of grades that teachers upload.

\ir ../../../shared/migrations/grade_files-1.sql
