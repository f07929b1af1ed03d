/** A text in the comment bank of a grader. */
export interface Comment {
  id: number;
  text: string;
  /** Null for a comment of all courses. */
  courseId: number | null;
  /** How often its grader has used it. */
  uses: number;
  updatedAt: Date;
}

export type CommentProperties = Pick<Comment, 'text' | 'courseId'>;
