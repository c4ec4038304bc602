;;; emacs_waiting.el --- What the drivers of Emacs share  -*- lexical-binding: t -*-
;;; Commentary:
;; Waiting for what a server sends, with a limit.
;;; Code:
(defun wait-for (what condition)
  "Handle messages until CONDITION is non-nil and return that; after a minute say that WHAT did not come."
  (let ((deadline (+ (float-time) 60)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) deadline) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02))
    value))

(provide 'emacs_waiting)
;;; emacs_waiting.el ends here
