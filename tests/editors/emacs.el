;;; emacs.el --- Drives Emacs for test_emacs.py  -*- lexical-binding: t -*-
;;; Commentary:
;; Diagnostics, hover, completion, the mended text and the preview, through Eglot.  Writes what it saw to $RESULT as JSON.
;; Batch mode has no command loop, so what happens by itself after a command or in an idle moment is asked for:
;; `post-command-hook' (where `eglot-ensure' connects), `flymake-start' and the sending of edits.
;;; Code:
(require 'json)
(require 'package)
(package-initialize)
(package-install-file (getenv "PACKAGE"))
(load (getenv "SETTINGS") nil t)
(require 'yaml-mode)
(load (expand-file-name "emacs_waiting.el" (file-name-directory load-file-name)) nil t)

(defun replace-expression (text)
  "Put TEXT in the place of the last line's expression, leave point before its brace, and tell the server."
  (goto-char (point-max))
  (search-backward "${")
  (delete-region (point) (line-end-position))
  (insert text)
  (search-backward "}")
  (eglot--signal-textDocument/didChange))

(defun describe-diagnostic (diagnostic)
  "Give the marked text of DIAGNOSTIC, whether it is an error, and its message."
  (list (buffer-substring-no-properties (flymake-diagnostic-beg diagnostic) (flymake-diagnostic-end diagnostic))
        (if (eq (flymake-diagnostic-type diagnostic) 'eglot-error) t :json-false)
        (flymake-diagnostic-text diagnostic)))

(defun hover-text ()
  "Ask for the documentation at point."
  (let (text)
    (eglot-hover-eldoc-function (lambda (answer &rest _) (setq text (or answer ""))))
    (substring-no-properties (wait-for "hover" (lambda () text)))))

(defun completions ()
  "Give the completions at point."
  (let ((found (eglot-completion-at-point)))
    (mapcar #'substring-no-properties (all-completions "" (nth 2 found)))))

(defun accepted-before (word)
  "Accept the completion that is WORD with point before it, and give the line."
  (goto-char (point-max))
  (search-backward word)
  (completion-at-point)
  (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun browsed (show)
  "Give the page that SHOW has the browser open, as a visit gets it: what it answers after the redirection."
  (condition-case problem
      (let (opened)
        (let ((browse-url-browser-function (lambda (url &rest _) (setq opened url))))
          (funcall show)
          (wait-for "the page" (lambda () opened)))
        (shell-command-to-string (format "curl -s -L -c '' %s" (shell-quote-argument opened))))
    ;; The views are not built everywhere.
    (jsonrpc-error (format "%S" problem))))

(find-file (getenv "FILE"))
(switch-to-buffer (current-buffer))
(run-hooks 'post-command-hook)
(wait-for "the server" #'eglot-current-server)
(flymake-start)

(let* ((key (symbol-name (key-binding (kbd "C-M-i"))))
       (diagnostics (mapcar #'describe-diagnostic (wait-for "a diagnostic" #'flymake-diagnostics)))
       (cleared (progn (replace-expression "${schema.spec.name}")
                       (wait-for "no diagnostics" (lambda () (null (flymake-diagnostics))))))
       (hover (progn (backward-char) (hover-text)))
       (names (progn (replace-expression "${schema.spec.}") (completions)))
       (accepted (progn (replace-expression "${schema.spec.name}") (accepted-before "name")))
       (preview (progn (replace-expression "${schema.spec.name}") (kro-ls-preview)
                       (with-current-buffer "*greeting.preview.yaml*" (buffer-string))))
       (imported (progn (setq eglot-confirm-server-edits nil eglot-confirm-server-initiated-edits nil)
                        (kro-ls-import-manifests (expand-file-name "account.yaml"))
                        (wait-for "the import" (lambda () (string-match-p "- id: serviceAccount" (buffer-string))))
                        t))
       (graph (browsed #'kro-ls-show-graph))
       (view (browsed #'kro-ls-show-preview)))
  (with-temp-file (getenv "RESULT")
    (insert (json-encode `((key . ,key)
                           (diagnostics . ,(vconcat diagnostics))
                           (cleared . ,cleared)
                           (hover . ,hover)
                           (completions . ,(vconcat names))
                           (accepted . ,accepted)
                           (imported . ,imported)
                           (graph . ,graph)
                           (view . ,view)
                           (preview . ,(substring-no-properties preview)))))))
;;; emacs.el ends here
