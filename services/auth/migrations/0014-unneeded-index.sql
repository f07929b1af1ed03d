-- Since migration 0007, revocations are read in transaction order (decision 62).
DROP INDEX revocations_in_order;
