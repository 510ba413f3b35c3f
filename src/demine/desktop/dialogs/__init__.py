"""The dialogs of the desktop: setup, records, settings, help, about."""
