// Lines of a virtual list stand where they are put, and the rows of a table can't: so they are plain elements with the roles of a grid.
export const GRID_ROW = { role: 'row', tabIndex: -1 } as const
export const GRID_HEAD = { role: 'columnheader', tabIndex: -1 } as const
export const GRID_CELL = { role: 'gridcell', tabIndex: -1 } as const
