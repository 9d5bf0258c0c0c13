"""What several tests share: made-up measurements, and stand-ins for what a machine may lack."""
