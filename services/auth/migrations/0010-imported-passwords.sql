-- The password comes from an import and must be changed: the file that contained it may have been read by others.
ALTER TABLE users ADD COLUMN must_change_password boolean NOT NULL DEFAULT false;
