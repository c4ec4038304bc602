;;; emacs_lsp_mode.el --- Drives Emacs for test_emacs.py  -*- lexical-binding: t -*-
;;; Commentary:
;; Diagnostics, the preview and the graph's page, through lsp-mode.  Writes what it saw to $RESULT as JSON.
;;; Code:
(require 'json)
(require 'package)
(package-initialize)
(package-install-file (getenv "PACKAGE"))
(require 'lsp-mode)
(load (getenv "SETTINGS") nil t)
(require 'yaml-mode)
(load (expand-file-name "emacs_waiting.el" (file-name-directory load-file-name)) nil t)

(setq lsp-session-file (concat (getenv "HOME") "/session")
      lsp-enable-snippet nil
      lsp-auto-guess-root t)
(find-file (getenv "FILE"))
(switch-to-buffer (current-buffer))
(lsp)
(wait-for "a diagnostic" (lambda () (not (hash-table-empty-p (lsp-diagnostics)))))

(let* ((all (apply #'append (hash-table-values (lsp-diagnostics))))
       (messages (mapcar (lambda (each) (lsp-get each :message)) all))
       (mended (progn (search-forward "nmae") (replace-match "name")
                      (wait-for "no diagnostics" (lambda () (seq-every-p #'null (hash-table-values (lsp-diagnostics)))))))
       (preview (progn (kro-ls-preview) (with-current-buffer "*greeting.preview.yaml*" (buffer-string))))
       opened)
  (condition-case nil
      (let ((browse-url-browser-function (lambda (url &rest _) (setq opened url))))
        (kro-ls-show-graph))
    (error nil))
  (with-temp-file (getenv "RESULT")
    (insert (json-encode `((mended . ,mended)
                           (messages . ,(vconcat messages))
                           (preview . ,(substring-no-properties preview))
                           (address . ,opened))))))
;;; emacs_lsp_mode.el ends here
