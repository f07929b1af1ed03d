import type { Texts } from './texts.ts';

export const arabic: Texts = {
  language: 'ar',
  direction: 'rtl',
  notices: {
    'submission.received': {
      subject: 'تم استلام عملك',
      text: 'تم استلام عملك في {work} ضمن {course}.',
      action: 'عرض عملك المُسلَّم',
    },
    'grades.released': {
      subject: 'تم التصحيح',
      text: 'تم تصحيح عملك في {work} ضمن {course}.',
      action: 'عرض درجتك',
    },
    'work.published': {
      subject: 'عمل جديد',
      text: 'نُشر {work} في {course}.',
      textWithTime: 'نُشر {work} في {course}. ينتهي التسليم {time}.',
      action: 'عرض أعمالك',
    },
    'work.due': {
      subject: 'ينتهي التسليم قريبًا',
      text: 'لم تسلّم {work} في {course} بعد.',
      textWithTime: 'لم تسلّم {work} في {course} بعد. ينتهي التسليم {time}.',
      action: 'تسليم العمل',
    },
    'review.answered': {
      subject: 'تم الرد على طلب المراجعة',
      text: 'تم الرد على طلبك مراجعة {work} في {course}.',
      action: 'عرض الرد',
    },
    'review.opened': {
      subject: 'طلب مراجعة',
      text: 'يطلب أحد الطلاب مراجعة تصحيح {work} في {course}.',
      action: 'عرض طلبات المراجعة',
    },
    'grading.finished': {
      subject: 'اكتمل التصحيح',
      text: 'تم تصحيح جميع الأعمال المُسلَّمة في {work} ضمن {course}.',
      action: 'عرض الأعمال المُسلَّمة',
    },
  },
  digest: {
    subject: 'ملخص يومك على Gradeway',
    text: 'إليك الجديد في مقرراتك.',
    more: 'و{count} أخرى.',
  },
  greeting: 'مرحبًا {name}،',
  greetingWithoutName: 'مرحبًا،',
  reason: 'أرسل Gradeway هذه الرسالة وفق إعدادات الإشعارات في حسابك.',
  settings: 'تغيير إعدادات الإشعارات',
  unsubscribe: 'إلغاء الاشتراك في هذا النوع من الرسائل',
  unsubscribeFromDigest: 'إلغاء الاشتراك في الملخص',
  page: {
    title: 'إلغاء الاشتراك',
    question: {
      'submission.received': 'ألا تريد بعد الآن رسائل عند استلام أعمالك؟',
      'grades.released': 'ألا تريد بعد الآن رسائل عند تصحيح أعمالك؟',
      'work.published': 'ألا تريد بعد الآن رسائل عن الأعمال الجديدة؟',
      'work.due': 'ألا تريد بعد الآن تذكيرات بالأعمال التي ينتهي تسليمها قريبًا؟',
      'review.answered': 'ألا تريد بعد الآن رسائل عند الرد على طلبات المراجعة؟',
      'review.opened': 'ألا تريد بعد الآن رسائل عندما يطلب الطلاب مراجعة؟',
      'grading.finished': 'ألا تريد بعد الآن رسائل عند اكتمال التصحيح؟',
      digest: 'ألا تريد بعد الآن الملخص اليومي؟',
    },
    button: 'إلغاء الاشتراك',
    done: 'لن تصلك هذه الرسائل بعد الآن.',
    undo: 'تجد جميع إعدادات الإشعارات في صفحة حسابك.',
  },
};
