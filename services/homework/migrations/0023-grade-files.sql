-- Grade files uploaded by teachers.

\ir ../../../shared/migrations/grade_files-1.sql
