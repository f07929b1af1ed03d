/** A text in a grader's comment bank. */
export interface Comment {
  id: number;
  text: string;
  /** Null if the comment is for all courses. */
  courseId: number | null;
  /** How often the grader has used it. */
  uses: number;
  updatedAt: Date;
}

export type CommentProperties = Pick<Comment, 'text' | 'courseId'>;
