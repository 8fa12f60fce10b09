ladder_leave_out_backend(gone "no gone here; look elsewhere")
