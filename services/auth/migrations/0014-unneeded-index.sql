-- Revocations are read in the order of transactions since migration 0007 (decision 62).
DROP INDEX revocations_in_order;
