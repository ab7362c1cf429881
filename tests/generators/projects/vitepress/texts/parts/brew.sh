#region boil
boil water
#endregion boil
drink tea
