;;; emacs_killed.el --- The server is killed while the text is edited  -*- lexical-binding: t -*-
;;; Commentary:
;; Eglot starts a server again that ran for a few seconds.  Writes what it saw to $RESULT as JSON.
;;; Code:
(require 'json)
(require 'package)
(package-initialize)
(package-install-file (getenv "PACKAGE"))
(load (getenv "SETTINGS") nil t)
(require 'yaml-mode)
(load (expand-file-name "emacs_waiting.el" (file-name-directory load-file-name)) nil t)

(defun kill-server ()
  "Kill the server of this buffer, and return it."
  (let ((server (eglot-current-server)))
    (signal-process (jsonrpc--process server) 'SIGKILL)
    server))

(setq eglot-autoreconnect t)
(find-file (getenv "FILE"))
(switch-to-buffer (current-buffer))
(run-hooks 'post-command-hook)
(wait-for "the server" #'eglot-current-server)
(flymake-start)
(wait-for "a diagnostic" #'flymake-diagnostics)
(add-hook 'post-command-hook #'kro-ls--follow nil t)
(let ((first (kill-server)))
  ;; Before Emacs has heard of it.
  (goto-char (point-max))
  (search-backward "nmae")
  (run-hooks 'post-command-hook)
  (delete-region (point) (+ 4 (point)))
  (insert "nome")
  (wait-for "another server"
            (lambda () (let ((now (eglot-current-server))) (and now (not (eq now first))))))
  (flymake-start)
  (let ((text (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
        (follows (memq 'kro-ls--follow post-command-hook))
        (found (wait-for "its diagnostic"
                         (lambda ()
                           (seq-find (lambda (text) (string-match-p "nome" text))
                                     (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))))))
    (with-temp-file (getenv "RESULT")
      (insert (json-encode `((text . ,text)
                             (diagnostic . ,(substring-no-properties found))
                             (follows . ,(if follows t :json-false))))))))
;;; emacs_killed.el ends here
