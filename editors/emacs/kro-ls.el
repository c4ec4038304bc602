;;; kro-ls.el --- Language server for kro ResourceGraphDefinitions  -*- lexical-binding: t; -*-

;; Author: The kro-ls authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, tools
;; URL: https://kro.run
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts the language server kro-ls for YAML files, with Eglot or lsp-mode:
;;
;;     (kro-ls-setup)
;;
;; The server is silent about YAML that has nothing to do with kro.  In a
;; definition, `kro-ls-show-graph' and `kro-ls-show-preview' open live pages in
;; the browser; `kro-ls-preview', `kro-ls-graph', `kro-ls-crd' and
;; `kro-ls-instance' show texts.  `kro-ls-why' tells why an instance that
;; kubectl printed is not ready.

;;; Code:

(defgroup kro-ls nil
  "Language server for kro ResourceGraphDefinitions."
  :group 'tools
  :prefix "kro-ls-")

(defcustom kro-ls-command '("kro-ls" "serve")
  "The command that starts the server."
  :type '(repeat string))

(defcustom kro-ls-client nil
  "The client that talks to the server.
When nil, it is `lsp-mode' if that is loaded when `kro-ls-setup' runs, and
Eglot otherwise."
  :type '(choice (const :tag "Choose" nil) (const eglot) (const lsp-mode)))

(defvar eglot-server-programs)
(defvar yaml-mode-hook)
(declare-function yaml-mode "ext:yaml-mode")
(declare-function eglot-ensure "ext:eglot")
(declare-function eglot-current-server "ext:eglot")
(declare-function eglot-client-capabilities "ext:eglot")
(declare-function eglot--signal-textDocument/didChange "ext:eglot")
(declare-function eglot--TextDocumentIdentifier "ext:eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function jsonrpc-async-request "jsonrpc")
(declare-function lsp-deferred "ext:lsp-mode")
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function lsp-request "ext:lsp-mode")
(declare-function lsp-request-async "ext:lsp-mode")
(declare-function lsp-find-workspace "ext:lsp-mode")
(declare-function lsp--client-capabilities "ext:lsp-mode")
(declare-function lsp--buffer-uri "ext:lsp-mode")
(declare-function lsp-get "ext:lsp-protocol")

(defun kro-ls--obstacle (client)
  "Return why CLIENT cannot start the server here, and what to do, or nil."
  (cond ((version< emacs-version "27.1")
         (format "Emacs 27.1 or newer is needed, and this is %s" emacs-version))
        ((not (or (fboundp 'yaml-mode) (locate-library "yaml-mode") (fboundp 'yaml-ts-mode)))
         "there is no mode for YAML; M-x package-install RET yaml-mode")
        ((and (eq client 'eglot) (not (locate-library "eglot")))
         "Eglot is part of Emacs 29 and newer; here M-x package-install RET eglot")))

;;;###autoload
(defun kro-ls-setup ()
  "Start the server in every YAML buffer that is opened from now on.
Warn where this Emacs lacks what that needs."
  (let* ((client (or kro-ls-client (if (featurep 'lsp-mode) 'lsp-mode 'eglot)))
         (obstacle (kro-ls--obstacle client)))
    (if obstacle
        (display-warning 'kro-ls obstacle)
      (kro-ls--start-with client))))

(defun kro-ls--start-with (client)
  "Have CLIENT start the server in YAML buffers."
  (if (eq client 'lsp-mode)
      (with-eval-after-load 'lsp-mode (kro-ls--register))
    (with-eval-after-load 'eglot
      (add-to-list 'eglot-server-programs
                   (cons '(yaml-mode yaml-ts-mode) kro-ls-command))))
  (dolist (hook '(yaml-mode-hook yaml-ts-mode-hook))
    (add-hook hook #'kro-ls--complete-by-key)
    (add-hook hook (if (eq client 'lsp-mode) #'lsp-deferred #'eglot-ensure))))

(defun kro-ls--complete-by-key ()
  "Bind the usual key to completion, in place of that of words in a dictionary.
Before Emacs 30 YAML mode has that from Text mode."
  (when (eq (key-binding (kbd "C-M-i")) 'ispell-complete-word)
    (local-set-key (kbd "C-M-i") #'completion-at-point)))

(defun kro-ls--register ()
  "Make the server known to `lsp-mode', beside another one for YAML."
  (let ((lenses (make-hash-table :test 'equal)))
    (puthash "kro.preview" (lambda (_lens) (kro-ls-preview)) lenses)
    (puthash "kro.why" (lambda (_lens) (kro-ls-why)) lenses)
    (lsp-register-client
     (make-lsp-client :new-connection (lsp-stdio-connection kro-ls-command)
                      :major-modes '(yaml-mode yaml-ts-mode)
                      :action-handlers lenses
                      :add-on? t
                      :server-id 'kro-ls))))

;;;; Talking to the server

(defun kro-ls--client ()
  "Return the client of the server in this buffer, a symbol or nil."
  (cond ((and (featurep 'lsp-mode) (lsp-find-workspace 'kro-ls (buffer-file-name))) 'lsp-mode)
        ((and (featurep 'eglot) (eglot-current-server)) 'eglot)))

(defun kro-ls--ask (command &rest more)
  "Return the answer of the server to COMMAND for this buffer.
MORE are further arguments of the command, a property list."
  (pcase (kro-ls--client)
    ('lsp-mode
     (lsp-request "workspace/executeCommand" (kro-ls--parameters command (lsp--buffer-uri) more)))
    ('eglot
     (eglot--signal-textDocument/didChange)
     (jsonrpc-request (eglot-current-server) :workspace/executeCommand
                      (kro-ls--parameters command (kro-ls--eglot-uri) more)))
    (_ (user-error "The server does not run for this buffer; try M-x eglot or M-x lsp"))))

(defun kro-ls--tell (command &rest more)
  "Have the server run COMMAND for this buffer with MORE arguments.
Do not wait for the answer."
  (pcase (kro-ls--client)
    ('lsp-mode
     (lsp-request-async "workspace/executeCommand"
                        (kro-ls--parameters command (lsp--buffer-uri) more) #'ignore))
    ('eglot
     (jsonrpc-async-request (eglot-current-server) :workspace/executeCommand
                            (kro-ls--parameters command (kro-ls--eglot-uri) more)
                            :success-fn #'ignore :error-fn #'ignore))))

(defun kro-ls--eglot-uri ()
  "Return the URI of this buffer as Eglot sends it."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun kro-ls--parameters (command uri more)
  "Return the parameters of the request for COMMAND with URI and MORE."
  (list :command command :arguments (vector (append (list :uri uri) more))))

(defun kro-ls--get (answer key)
  "Return what ANSWER has for KEY, a keyword."
  (if (hash-table-p answer) (lsp-get answer key) (plist-get answer key)))

(defun kro-ls--browses-p ()
  "Whether the client opens pages in the browser when the server asks it to."
  (if (eq (kro-ls--client) 'lsp-mode)
      (alist-get 'showDocument (alist-get 'window (lsp--client-capabilities)))
    (plist-get (plist-get (eglot-client-capabilities (eglot-current-server)) :window)
               :showDocument)))

;;;; Texts

(defun kro-ls--show (command)
  "Show the text that COMMAND of the server gives for this buffer."
  (let* ((answer (kro-ls--ask command))
         (text (kro-ls--get answer :text))
         (title (kro-ls--get answer :title)))
    (with-current-buffer (get-buffer-create (format "*%s*" title))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text))
      (goto-char (point-min))
      (if (and (string-suffix-p ".yaml" title) (fboundp 'yaml-mode))
          (let ((yaml-mode-hook nil)) (yaml-mode) (view-mode))
        (special-mode))
      (display-buffer (current-buffer)))))

;;;###autoload
(defun kro-ls-preview ()
  "Show what kro would make of an instance of this definition."
  (interactive)
  (kro-ls--show "kro.preview"))

;;;###autoload
(defun kro-ls-graph ()
  "Draw how the resources of this definition depend on each other, as text."
  (interactive)
  (kro-ls--show "kro.graph"))

;;;###autoload
(defun kro-ls-crd ()
  "Show the CustomResourceDefinition that kro would make of this definition."
  (interactive)
  (kro-ls--show "kro.crd"))

;;;###autoload
(defun kro-ls-instance ()
  "Show a sample instance of this definition."
  (interactive)
  (kro-ls--show "kro.instance"))

;;;###autoload
(defun kro-ls-why ()
  "Tell why the instance in this buffer, as kubectl prints it, is not ready."
  (interactive)
  (kro-ls--show "kro.why"))

;;;###autoload
(defun kro-ls-import-manifests (file)
  "Add the objects of FILE, which has manifests, to the definition in this buffer."
  (interactive "fManifests: ")
  (let* ((text (with-temp-buffer (insert-file-contents file) (buffer-string)))
         (answer (kro-ls--ask "kro.importManifests" :text text)))
    (message "Imported as %s" (mapconcat #'identity (kro-ls--get answer :ids) ", "))))

;;;; Pages in the browser

(defvar-local kro-ls--place nil
  "Line and column that the pages were last told of.")

(defun kro-ls--follow ()
  "Select in the pages what point is in, if it has moved."
  (let ((line (1- (line-number-at-pos nil t)))
        (character (- (point) (line-beginning-position))))
    (unless (equal kro-ls--place (cons line character))
      (setq kro-ls--place (cons line character))
      ;; A server that has just ended must not end the following as well.
      (with-demoted-errors "kro-ls: %S"
        (kro-ls--tell "kro.selectInGraph" :line line :character character)))))

(defun kro-ls--open (command)
  "Open the page that COMMAND of the server serves, and let it follow point."
  (let ((url (kro-ls--get (kro-ls--ask command) :url)))
    (unless (kro-ls--browses-p) (browse-url url))
    (add-hook 'post-command-hook #'kro-ls--follow nil t)
    url))

;;;###autoload
(defun kro-ls-show-graph ()
  "Show the dependency graph of this definition in the browser."
  (interactive)
  (kro-ls--open "kro.openGraph"))

;;;###autoload
(defun kro-ls-show-preview ()
  "Show the preview of this definition in the browser."
  (interactive)
  (kro-ls--open "kro.openPreview"))

(provide 'kro-ls)

;;; kro-ls.el ends here
