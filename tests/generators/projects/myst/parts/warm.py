print("Warm the pot first.")
