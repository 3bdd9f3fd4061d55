/* SPDX-License-Identifier: Apache-2.0
 * schema_table.c: every key of the model file. Listed keys are frozen: add, never rename. */
#include "model/schema.h"

#include <string.h>

#define FIELD(type, member) (offsetof(type, member) + 1)
#define ROD(member)         .field = FIELD(zw_rod_def, member)
#define SECTION(member)     .field = FIELD(zw_section_def, member)
#define MATERIAL(member)    .field = FIELD(zw_material_def, member)
#define LAGRANGIAN(member)  .field = FIELD(zw_lagrangian_def, member)
#define REQ                 ZW_KEY_REQUIRED
#define MAIN                ZW_KEY_MAIN
#define LATER               ZW_KEY_LATER

#define JOINTS      "clamp|ball|hinge|slider|universal|fixed"
#define AT_PLACES   "position|velocity|orientation|strain|curvature|force|moment|temperature"
#define ONLY_RODS   "this version has rods, fields and lagrangians"
#define ONLY_JOINTS "this version has clamp, ball and fixed"
#define ONLY_PLACES "give s on a rod, point on a lagrangian"

const zw_schema_owner zw_schema_owners[] = {
    {"top", "a model", "", ZW_CHOICE_NONE, "The whole file."},
    {"frame", "a frame", "frames.NAME", ZW_CHOICE_NONE, "A frame of reference that moves as prescribed."},
    {"motion", "a motion", "motion", ZW_CHOICE_NONE,
     "Displacement and rotation from the start, as functions of t; the same wherever `motion` stands."},
    {"place", "a place", "place", ZW_CHOICE_NONE, "A point of a body. `KIND: beam, s: 0` is short for `KIND: {body: beam, s: 0}`."},
    {"body", "a body", "bodies.NAME", ZW_CHOICE_ONE, "One part of the system."},
    {"rod", "a rod", "bodies.NAME.rod", ZW_CHOICE_NONE, "A Cosserat rod: it bends, twists, stretches and shears; d3 runs along it."},
    {"section", "a section", "bodies.NAME.rod.section", ZW_CHOICE_ONE,
     "The cross-section: a form with a material, stiffness and mass as numbers, or two 6x6 matrices (rotations first)."},
    {"material", "a material", "material", ZW_CHOICE_NONE, "What a body is made of."},
    {"shape", "a shape", "bodies.NAME.rod.shape", ZW_CHOICE_ONE, "The form of the rod at the start; `straight` when not given."},
    {"natural", "a natural form", "bodies.NAME.rod.natural", ZW_CHOICE_ONE,
     "The form without stress; `straight` when not given, `start` for the shape."},
    {"director velocity", "a velocity", "bodies.NAME.rod.velocity", ZW_CHOICE_ONE, "A velocity by its components along d1, d2, d3."},
    {"growth", "growth", "bodies.NAME.rod.growth", ZW_CHOICE_NONE, "How a rod grows."},
    {"rigid", "a rigid body", "bodies.NAME.rigid", ZW_CHOICE_ONE, "A body that does not deform."},
    {"solid", "a solid", "bodies.NAME.solid", ZW_CHOICE_ONE, "A deformable body of finite elements."},
    {"lagrangian", "a lagrangian", "bodies.NAME.lagrangian", ZW_CHOICE_NONE,
     "A system given by its energies in coordinates of its own, with constraints on coordinates and velocities. Gravity does not act on "
     "it; the integrator is gauss."},
    {"particle", "a particle", "bodies.NAME.lagrangian.particles.NAME", ZW_CHOICE_NONE, "A mass at a position of the coordinates."},
    {"point", "a point", "bodies.NAME.lagrangian.points.NAME", ZW_CHOICE_NONE,
     "A place of a lagrangian; `NAME: [x, y, z]` is short for `NAME: {position: [x, y, z]}`."},
    {"field", "a field", "bodies.NAME.field", ZW_CHOICE_NONE,
     "A chain of momenta mu on nodes and strains gamma on links with values in a Lie algebra, moved by a Hamiltonian density; its ends are "
     "free. Neither gravity nor loads act on it; the integrators are poisson, poisson-consistent and hamel."},
    {"algebra", "an algebra", "bodies.NAME.field.algebra", ZW_CHOICE_ONE, "A Lie algebra by its structure constants."},
    {"field start", "a start", "bodies.NAME.field.start", ZW_CHOICE_NONE, "The field at t = 0, one expression per component."},
    {"obstacle", "an obstacle", "obstacles.NAME", ZW_CHOICE_ONE, "Something bodies cannot enter."},
    {"constraint", "a constraint", "constraints.NAME", ZW_CHOICE_ONE, "What holds bodies: to the ground, to each other."},
    {"load", "a load", "loads.NAME", ZW_CHOICE_ONE, "A force or a moment on a place or along a rod."},
    {"contact", "contact", "contact", ZW_CHOICE_NONE, "What happens where bodies touch."},
    {"run", "run", "run", ZW_CHOICE_NONE, "How the motion is computed."},
    {"poisson", "poisson", "run.poisson", ZW_CHOICE_NONE,
     "Options of the integrators poisson and hamel; poisson-consistent has half ends and a reconstruction of its own."},
    {"statics", "statics", "statics", ZW_CHOICE_NONE, "A path of equilibria."},
    {"modes", "modes", "modes", ZW_CHOICE_NONE, "Frequencies and shapes of small vibrations."},
    {"record", "record", "record", ZW_CHOICE_AT_MOST_ONE, "What is kept of the motion, and how often."},
    {"probe", "a probe", "probes.NAME", ZW_CHOICE_ONE, "A quantity to follow; it is recorded and summarised under its name."},
};
const int zw_schema_nowners = (int)(sizeof zw_schema_owners / sizeof zw_schema_owners[0]);

const zw_schema_key zw_schema_keys[] = {
    /* ---- top */
    {"top", "zwang", ZW_KEY_COUNT, REQ, .doc = "Version of the model file: 1"},
    {"top", "title", ZW_KEY_TEXT, 0, .doc = "What the model is, for people"},
    {"top", "parameters", ZW_KEY_NAMED_E, 0, .doc = "Named numbers that every expression can use; they may use each other in any order"},
    {"top", "gravity", ZW_KEY_V3, 0, .scope = ZW_OF_TIME, .field = FIELD(zw_model, gravity), .initial = "none",
     .doc = "Acceleration of gravity on every body, m/s^2"},
    {"top", "frames", ZW_KEY_NAMED, LATER, .of = "frame", .instead = "this version has space axes only; move a clamp with motion",
     .doc = "Moving frames of reference"},
    {"top", "bodies", ZW_KEY_NAMED, REQ, .of = "body", .doc = "What moves"},
    {"top", "obstacles", ZW_KEY_NAMED, LATER, .of = "obstacle", .instead = "this version has no contact",
     .doc = "What bodies cannot enter"},
    {"top", "constraints", ZW_KEY_NAMED, 0, .of = "constraint", .doc = "What holds the bodies"},
    {"top", "loads", ZW_KEY_NAMED, 0, .of = "load", .doc = "Forces and moments"},
    {"top", "contact", ZW_KEY_MAP, LATER, .of = "contact", .instead = "this version has no contact", .doc = "The law of contact"},
    {"top", "run", ZW_KEY_MAP, 0, .of = "run", .doc = "How the motion is computed; `zwang run` needs it"},
    {"top", "statics", ZW_KEY_MAP, LATER, .of = "statics", .instead = "this version runs the motion; damping leads to equilibrium",
     .doc = "A path of equilibria"},
    {"top", "modes", ZW_KEY_MAP, LATER, .of = "modes", .instead = "this version runs the motion; frequencies can be read from a probe",
     .doc = "Small vibrations"},
    {"top", "statistics", ZW_KEY_ANY, LATER, .instead = "this version records probes", .doc = "Statistics of many impacts"},
    {"top", "record", ZW_KEY_MAP, 0, .of = "record", .doc = "What is kept of the motion"},
    {"top", "probes", ZW_KEY_NAMED, 0, .of = "probe", .doc = "Quantities to follow"},
    /* ---- place: also beside the short form */
    {"place", "body", ZW_KEY_NAME, REQ, .doc = "Name of the body"},
    {"place", "s", ZW_KEY_LABEL, 0, .doc = "Label along a rod, 0 to its length, or `end`"},
    {"place", "at", ZW_KEY_V3, LATER, .instead = ONLY_PLACES, .doc = "Point in the axes of a rigid body or solid"},
    {"place", "point", ZW_KEY_NAME, 0, .doc = "A point or particle of a lagrangian"},
    {"place", "face", ZW_KEY_NAME, LATER, .instead = ONLY_PLACES, .doc = "A named face of a solid"},
    /* ---- frames */
    {"frame", "at", ZW_KEY_V3, LATER, .initial = "[0, 0, 0]", .doc = "Origin"},
    {"frame", "turn", ZW_KEY_V3, LATER, .doc = "Orientation as a rotation vector, rad"},
    {"frame", "spin", ZW_KEY_V3, LATER, .doc = "Steady angular velocity, rad/s"},
    {"frame", "motion", ZW_KEY_MAP, LATER, .of = "motion", .doc = "Prescribed motion"},
    {"frame", "carried", ZW_KEY_PLACE, LATER, .doc = "The place of a body that carries the frame"},
    {"motion", "shift", ZW_KEY_V3, 0, .scope = ZW_OF_TIME, .field = FIELD(zw_constraint_def, shift), .initial = "[0, 0, 0]",
     .doc = "Displacement from the start, space axes"},
    {"motion", "turn", ZW_KEY_V3, 0, .scope = ZW_OF_TIME, .field = FIELD(zw_constraint_def, turn), .initial = "[0, 0, 0]",
     .doc = "Rotation vector from the start, rad, space axes"},
    /* ---- bodies */
    {"body", "rod", ZW_KEY_MAP, MAIN, .of = "rod", .doc = "A Cosserat rod"},
    {"body", "rigid", ZW_KEY_MAP, MAIN | LATER, .of = "rigid", .instead = ONLY_RODS, .doc = "A rigid body"},
    {"body", "solid", ZW_KEY_MAP, MAIN | LATER, .of = "solid", .instead = ONLY_RODS, .doc = "A deformable solid"},
    {"body", "lagrangian", ZW_KEY_MAP, MAIN, .of = "lagrangian", .doc = "A system given by its Lagrangian"},
    {"body", "field", ZW_KEY_MAP, MAIN, .of = "field", .doc = "A field on a Lie algebra"},
    /* ---- rod */
    {"rod", "length", ZW_KEY_E, REQ, ROD(length), .doc = "Length without stress, m"},
    {"rod", "elements", ZW_KEY_COUNT, REQ, .doc = "Number of links"},
    {"rod", "section", ZW_KEY_MAP, REQ, .of = "section", .doc = "Cross-section"},
    {"rod", "material", ZW_KEY_MAP, 0, .of = "material", .doc = "Material; needed by a section that is a form"},
    {"rod", "at", ZW_KEY_V3, 0, ROD(at), .initial = "[0, 0, 0]", .doc = "Where the rod begins (s = 0)"},
    {"rod", "along", ZW_KEY_V3, 0, ROD(along), .initial = "[0, 0, 1]", .doc = "Direction d3 at the beginning; made a unit vector"},
    {"rod", "up", ZW_KEY_V3, 0, ROD(up), .initial = "any direction across",
     .doc = "Direction d1 at the beginning; made orthogonal to `along`"},
    {"rod", "frame", ZW_KEY_NAME, LATER, .instead = "this version has space axes only",
     .doc = "Frame in which at, along, up and velocity are given"},
    {"rod", "shape", ZW_KEY_WORD_OR_MAP, 0, .of = "shape", .words = "straight", .initial = "straight", .doc = "Form at the start"},
    {"rod", "natural", ZW_KEY_WORD_OR_MAP, 0, .of = "natural", .words = "straight|start", .initial = "straight",
     .doc = "Form without stress"},
    {"rod", "velocity", ZW_KEY_V3_OR_MAP, 0, ROD(velocity), .scope = ZW_OF_LABEL, .of = "director velocity", .initial = "[0, 0, 0]",
     .doc = "Velocity at the start, space axes, or {director: [..]}"},
    {"rod", "growth", ZW_KEY_MAP, LATER, .of = "growth", .instead = "this version has rods that do not grow", .doc = "Growth"},
    {"rod", "temperature", ZW_KEY_E, LATER, .scope = ZW_OF_OTHER,
     .instead = "this version has rods without heat; natural curvature bends them", .doc = "Temperature of s and of y, z in the section"},
    {"rod", "reference", ZW_KEY_E, LATER, .initial = "0", .instead = "this version has rods without heat",
     .doc = "Temperature without thermal strain"},
    {"rod", "kinematics", ZW_KEY_WORD, 0, .words = "cosserat|unshearable|inextensible", .later = "unshearable|inextensible",
     .initial = "cosserat", .instead = "this version has cosserat", .doc = "Which strains are free"},
    {"rod", "radius", ZW_KEY_E, 0, ROD(radius), .initial = "from the section", .doc = "Radius for contact, m"},
    /* ---- section */
    {"section", "square", ZW_KEY_E, MAIN, SECTION(size), .scope = ZW_OF_LABEL, .doc = "Side of a square, m"},
    {"section", "round", ZW_KEY_E, MAIN, SECTION(size), .scope = ZW_OF_LABEL, .doc = "Radius of a disc, m"},
    {"section", "rectangle", ZW_KEY_V2, MAIN, SECTION(size), .scope = ZW_OF_LABEL, .doc = "Sides along d1 and d2, m"},
    {"section", "tube", ZW_KEY_V2, MAIN, SECTION(size), .scope = ZW_OF_LABEL, .doc = "Outer and inner radius, m"},
    {"section", "bending", ZW_KEY_V2, MAIN, SECTION(bending), .scope = ZW_OF_LABEL,
     .doc = "Bending stiffness about d1 and d2, N m^2; with it all of the next five"},
    {"section", "torsion", ZW_KEY_E, REQ, SECTION(torsion), .scope = ZW_OF_LABEL, .forms = "bending", .doc = "Torsional stiffness, N m^2"},
    {"section", "stretch", ZW_KEY_E, REQ, SECTION(stretch), .scope = ZW_OF_LABEL, .forms = "bending", .doc = "Axial stiffness, N"},
    {"section", "shear", ZW_KEY_E, REQ, SECTION(shear), .scope = ZW_OF_LABEL, .forms = "bending", .doc = "Shear stiffness, N"},
    {"section", "mass", ZW_KEY_E, REQ, SECTION(mass), .scope = ZW_OF_LABEL, .forms = "bending", .doc = "Mass per length, kg/m"},
    {"section", "inertia", ZW_KEY_E_OR_V3, REQ, SECTION(inertia), .scope = ZW_OF_LABEL, .forms = "bending",
     .doc = "Mass moment per length about d1, d2, d3 (one number for all), kg m"},
    {"section", "stiffness", ZW_KEY_M66, MAIN, SECTION(stiffness66), .scope = ZW_OF_LABEL,
     .doc = "6x6 stiffness, rotations first; with it a 6x6 inertia"},
    {"section", "inertia", ZW_KEY_M66, REQ, SECTION(inertia66), .scope = ZW_OF_LABEL, .forms = "stiffness",
     .doc = "6x6 inertia per length, rotations first"},
    /* ---- material */
    {"material", "density", ZW_KEY_E, 0, MATERIAL(density), .scope = ZW_OF_LABEL, .doc = "Density, kg/m^3"},
    {"material", "young", ZW_KEY_E, 0, MATERIAL(young), .scope = ZW_OF_LABEL, .doc = "Young's modulus, Pa"},
    {"material", "poisson", ZW_KEY_E, 0, MATERIAL(poisson), .scope = ZW_OF_LABEL, .doc = "Poisson's ratio; or give shear"},
    {"material", "shear", ZW_KEY_E, 0, MATERIAL(shear), .scope = ZW_OF_LABEL, .doc = "Shear modulus, Pa; or give poisson"},
    {"material", "damping", ZW_KEY_E, 0, MATERIAL(damping), .scope = ZW_OF_LABEL, .initial = "0",
     .doc = "Kelvin-Voigt time, s: stress gains stiffness x damping x strain rate"},
    {"material", "expansion", ZW_KEY_E, LATER, .scope = ZW_OF_LABEL, .instead = "this version has rods without heat",
     .doc = "Thermal expansion, 1/K"},
    {"material", "conductivity", ZW_KEY_E, LATER, .scope = ZW_OF_LABEL, .instead = "this version has rods without heat",
     .doc = "Heat conductivity, W/(m K)"},
    {"material", "capacity", ZW_KEY_E, LATER, .scope = ZW_OF_LABEL, .instead = "this version has rods without heat",
     .doc = "Heat capacity, J/(kg K)"},
    {"material", "law", ZW_KEY_WORD, LATER, .words = "svk|neo-hooke", .instead = "it belongs to solids, and this version has rods",
     .doc = "Material law of a solid"},
    {"material", "thermal", ZW_KEY_WORD, LATER, .words = "green|stretch", .instead = "it belongs to solids, and this version has rods",
     .doc = "Thermal strain of a solid"},
    /* ---- shape, natural, velocity */
    {"shape", "curvature", ZW_KEY_V3, MAIN, .field = FIELD(zw_shape_def, v), .scope = ZW_OF_LABEL,
     .doc = "Curvature and twist along d1, d2, d3, 1/m"},
    {"shape", "curve", ZW_KEY_V3, MAIN, .field = FIELD(zw_shape_def, v), .scope = ZW_OF_LABEL,
     .doc = "Centre line as a function of s, space axes"},
    {"shape", "points", ZW_KEY_POINTS, MAIN, .doc = "Centre line through points, space axes"},
    {"shape", "ring", ZW_KEY_V3, MAIN, .field = FIELD(zw_shape_def, v),
     .doc = "A closed ring with this normal; it begins at `at` with tangent `along`"},
    {"natural", "curvature", ZW_KEY_V3, MAIN, ROD(natural_curvature), .scope = ZW_OF_LABEL,
     .doc = "Natural curvature and twist along d1, d2, d3, 1/m"},
    {"director velocity", "director", ZW_KEY_V3, MAIN, ROD(velocity), .scope = ZW_OF_LABEL, .doc = "Components along d1, d2, d3, m/s"},
    /* ---- growth */
    {"growth", "rate", ZW_KEY_E, LATER, .scope = ZW_OF_OTHER, .doc = "Relative growth rate, 1/s"},
    {"growth", "bend", ZW_KEY_V3, LATER, .scope = ZW_OF_OTHER, .doc = "Rate of natural curvature"},
    {"growth", "curvature", ZW_KEY_WORD, LATER, .words = "keep|dilute", .doc = "What growth does to natural curvature"},
    {"growth", "mass", ZW_KEY_BOOL, LATER, .doc = "Whether growth adds mass"},
    {"growth", "split", ZW_KEY_E, LATER, .doc = "A link longer than this is halved, m"},
    {"growth", "law", ZW_KEY_ANY, LATER,
     .doc = "A named law: exponential, linear, logistic, tip, table, lockhart, stein, homeostatic, flank, thicken, ac, ace, signal, touch"},
    /* ---- rigid */
    {"rigid", "sphere", ZW_KEY_ANY, MAIN | LATER, .doc = "A ball: {radius}"},
    {"rigid", "capsule", ZW_KEY_ANY, MAIN | LATER, .doc = "A capsule along z: {length (of the axis, without caps), radius}"},
    {"rigid", "box", ZW_KEY_ANY, MAIN | LATER, .doc = "A box: {size: [3]}"},
    {"rigid", "cylinder", ZW_KEY_ANY, MAIN | LATER, .doc = "A cylinder along z"},
    {"rigid", "hull", ZW_KEY_ANY, MAIN | LATER, .doc = "The convex hull of points"},
    {"rigid", "compound", ZW_KEY_ANY, MAIN | LATER, .doc = "Several of these"},
    {"rigid", "mass", ZW_KEY_E, LATER, .doc = "Mass, kg; or give density"},
    {"rigid", "density", ZW_KEY_E, LATER, .doc = "Density, kg/m^3; or give mass"},
    {"rigid", "inertia", ZW_KEY_ANY, LATER, .doc = "Principal moments, or a 3x3 list, about the centre of mass"},
    {"rigid", "at", ZW_KEY_V3, LATER, .doc = "Position at the start"},
    {"rigid", "turn", ZW_KEY_V3, LATER, .doc = "Orientation at the start, rotation vector"},
    {"rigid", "velocity", ZW_KEY_V3, LATER, .doc = "Velocity at the start"},
    {"rigid", "spin", ZW_KEY_V3, LATER, .doc = "Angular velocity at the start, space axes"},
    {"rigid", "points", ZW_KEY_NAMED_V3, LATER, .doc = "Named points in body axes"},
    /* ---- solid */
    {"solid", "box", ZW_KEY_ANY, MAIN | LATER, .doc = "A box"},
    {"solid", "cylinder", ZW_KEY_ANY, MAIN | LATER, .doc = "A cylinder"},
    {"solid", "extrusion", ZW_KEY_ANY, MAIN | LATER, .doc = "An extruded outline"},
    {"solid", "mesh", ZW_KEY_ANY, MAIN | LATER, .doc = "A mesh from a file"},
    {"solid", "material", ZW_KEY_MAP, LATER, .of = "material", .doc = "Material"},
    {"solid", "at", ZW_KEY_V3, LATER, .doc = "Position at the start"},
    {"solid", "turn", ZW_KEY_V3, LATER, .doc = "Orientation at the start"},
    {"solid", "velocity", ZW_KEY_V3, LATER, .scope = ZW_OF_OTHER, .doc = "Velocity at the start"},
    {"solid", "spin", ZW_KEY_V3, LATER, .doc = "Angular velocity at the start"},
    {"solid", "temperature", ZW_KEY_E, LATER, .scope = ZW_OF_OTHER, .doc = "Temperature at the start"},
    {"solid", "reference", ZW_KEY_E, LATER, .doc = "Temperature without thermal strain"},
    {"solid", "heat", ZW_KEY_ANY, LATER, .doc = "Heat conduction and sources"},
    {"solid", "frame", ZW_KEY_NAME, LATER, .doc = "Frame in which it is given"},
    /* ---- lagrangian, field */
    {"lagrangian", "coordinates", ZW_KEY_NAMES, REQ, .doc = "Names of the coordinates, at most 500; NAMEdot is the velocity of NAME"},
    {"lagrangian", "define", ZW_KEY_NAMED_E_OR_V3, 0, .scope = ZW_OF_MOTION,
     .doc = "Named sub-expressions, numbers or vectors; each may use those above it"},
    {"lagrangian", "velocities", ZW_KEY_NAMED_E, 0, .scope = ZW_OF_MOTION, .initial = "NAMEdot",
     .doc = "Velocities of a moving frame to compute with instead, as many as coordinates, each linear in the velocities"},
    {"lagrangian", "kinetic", ZW_KEY_E, 0, LAGRANGIAN(kinetic), .scope = ZW_OF_MOTION, .initial = "that of the particles",
     .doc = "Kinetic energy, J; needed where there are no particles, whose energy is added to it"},
    {"lagrangian", "potential", ZW_KEY_E, 0, LAGRANGIAN(potential), .scope = ZW_OF_COORDINATES, .initial = "0",
     .doc = "Potential energy, J; gravity does not act by itself"},
    {"lagrangian", "dissipation", ZW_KEY_E, 0, LAGRANGIAN(dissipation), .scope = ZW_OF_MOTION, .initial = "0",
     .doc = "Rayleigh's function R, W: the generalised force is -dR/d(velocity)"},
    {"lagrangian", "forces", ZW_KEY_NAMED_E, 0, .scope = ZW_OF_MOTION, .initial = "0",
     .doc = "Generalised forces by the names of their coordinates"},
    {"lagrangian", "particles", ZW_KEY_NAMED, 0, .of = "particle",
     .doc = "Masses at positions; they add their kinetic energy and are places"},
    {"lagrangian", "points", ZW_KEY_NAMED_V3_OR_MAP, 0, .scope = ZW_OF_COORDINATES, .of = "point",
     .doc = "Places without mass, for joints, loads and probes: position in space"},
    {"lagrangian", "links", ZW_KEY_PAIRS, 0, .doc = "Pairs of points and particles that pictures join by a line"},
    {"lagrangian", "constraints", ZW_KEY_RELATIONS, 0, .scope = ZW_OF_MOTION,
     .doc =
         "Equations left = right between coordinates, velocities and t, also nonlinear ones: a list (named c1, c2, ..), or a map to name "
         "them"},
    {"lagrangian", "start", ZW_KEY_NAMED_E, 0, .initial = "0",
     .doc = "Coordinates and velocities (NAMEdot, or all by the names in `velocities`) at the start"},
    {"particle", "mass", ZW_KEY_E, REQ, .field = FIELD(zw_lagrange_point_def, mass), .doc = "Mass, kg"},
    {"particle", "position", ZW_KEY_V3, REQ, .field = FIELD(zw_lagrange_point_def, r), .scope = ZW_OF_COORDINATES,
     .doc = "Position in space, m"},
    {"point", "position", ZW_KEY_V3, REQ, .field = FIELD(zw_lagrange_point_def, r), .scope = ZW_OF_COORDINATES,
     .doc = "Position in space, m"},
    {"point", "turn", ZW_KEY_V3, 0, .field = FIELD(zw_lagrange_point_def, turn), .scope = ZW_OF_COORDINATES, .initial = "it has no axes",
     .doc = "Rotation vector of its axes, rad: needed by joints that hold a rotation, and by moments"},
    {"field", "algebra", ZW_KEY_WORD_OR_MAP, REQ, .of = "algebra", .words = "so(3)|se(2)|se(3)",
     .doc = "The Lie algebra; rotations come first in se(2) and se(3)"},
    {"field", "hamiltonian", ZW_KEY_E, REQ, .scope = ZW_OF_FIELD, .doc = "Energy per length, J/m"},
    {"field", "length", ZW_KEY_E, 0, .field = FIELD(zw_field_def, length), .initial = "1", .doc = "Length, m"},
    {"field", "elements", ZW_KEY_COUNT, 0, .initial = "100", .doc = "Number of links; there is one node more"},
    {"field", "start", ZW_KEY_MAP, 0, .of = "field start", .initial = "0", .doc = "The field at t = 0"},
    {"field", "casimirs", ZW_KEY_NAMED_E, 0, .scope = ZW_OF_FIELD, .initial = "those of so(3), se(2), se(3)",
     .doc = "Invariants of the algebra to follow, of mu1.. only; they are checked, and taken at the total momentum"},
    {"algebra", "structure", ZW_KEY_ANY, MAIN,
     .doc = "Constants as a list of n lists of n lists of n numbers: [e_i, e_j] = sum over k of structure[i][j][k] e_k; n is at most 16"},
    {"field start", "mu", ZW_KEY_VN, 0, .scope = ZW_OF_LABEL, .initial = "0", .doc = "Momenta per length, at the nodes"},
    {"field start", "gamma", ZW_KEY_VN, 0, .scope = ZW_OF_LABEL, .initial = "0", .doc = "Strains, at the middles of the links"},
    /* ---- obstacles */
    {"obstacle", "plane", ZW_KEY_ANY, MAIN | LATER, .doc = "{normal, at}"},
    {"obstacle", "sphere", ZW_KEY_ANY, MAIN | LATER, .doc = "{radius, at, hollow}"},
    {"obstacle", "cylinder", ZW_KEY_ANY, MAIN | LATER, .doc = "{radius, axis, at, hollow}"},
    {"obstacle", "box", ZW_KEY_ANY, MAIN | LATER, .doc = "A box"},
    {"obstacle", "capsule", ZW_KEY_ANY, MAIN | LATER, .doc = "A capsule"},
    {"obstacle", "mesh", ZW_KEY_ANY, MAIN | LATER, .doc = "A mesh from a file"},
    {"obstacle", "gap", ZW_KEY_E, MAIN | LATER, .scope = ZW_OF_OTHER, .doc = "Expression of x, y, z that is >= 0 outside"},
    {"obstacle", "motion", ZW_KEY_MAP, LATER, .of = "motion", .doc = "Prescribed motion"},
    /* ---- constraints */
    {"constraint", "clamp", ZW_KEY_PLACES, MAIN,
     .doc = "Holds position and orientation of a place, or what `fix` lists; between two places it keeps the start"},
    {"constraint", "ball", ZW_KEY_PLACES, MAIN, .doc = "Holds the position and leaves the orientation free"},
    {"constraint", "fixed", ZW_KEY_PLACES, MAIN, .doc = "Keeps the relative position and orientation of the start"},
    {"constraint", "hinge", ZW_KEY_PLACES, MAIN | LATER, .instead = ONLY_JOINTS "; a clamp with fix leaves axes free",
     .doc = "Leaves one rotation free"},
    {"constraint", "slider", ZW_KEY_PLACES, MAIN | LATER, .instead = ONLY_JOINTS "; a clamp with fix leaves axes free",
     .doc = "Leaves one displacement free"},
    {"constraint", "universal", ZW_KEY_PLACES, MAIN | LATER, .instead = ONLY_JOINTS, .doc = "Leaves two rotations free"},
    {"constraint", "surface", ZW_KEY_ANY, MAIN | LATER, .instead = ONLY_JOINTS, .doc = "Keeps a body on a surface"},
    {"constraint", "unilateral", ZW_KEY_RELATION, MAIN | LATER, .instead = ONLY_JOINTS, .doc = "An inequality f <= 0"},
    {"constraint", "nonholonomic", ZW_KEY_RELATION, MAIN,
     .doc = "An equation left = right between the coordinates and velocities of a lagrangian, as in its own `constraints`"},
    {"constraint", "spring", ZW_KEY_PLACES, MAIN | LATER, .instead = "this version has no springs; a force may depend on x, y, z",
     .doc = "A spring between places"},
    {"constraint", "s", ZW_KEY_LABEL, 0, .forms = JOINTS, .doc = "Label of the place, when the body is given by name"},
    {"constraint", "at", ZW_KEY_V3, LATER, .forms = JOINTS, .instead = ONLY_PLACES, .doc = "Point in body axes"},
    {"constraint", "point", ZW_KEY_NAME, 0, .forms = JOINTS, .doc = "Point of a lagrangian, when the body is given by name"},
    {"constraint", "face", ZW_KEY_NAME, LATER, .forms = JOINTS, .instead = ONLY_PLACES, .doc = "A named face"},
    {"constraint", "to", ZW_KEY_TO, 0, .forms = JOINTS, .initial = "ground", .doc = "What holds the place: ground or another place"},
    {"constraint", "fix", ZW_KEY_WORDS, 0, .forms = "clamp", .words = "x|y|z|rx|ry|rz", .initial = "all six",
     .doc = "Which displacements and rotations are held, space axes"},
    {"constraint", "axis", ZW_KEY_V3, LATER, .forms = JOINTS, .instead = ONLY_JOINTS,
     .doc = "Axis in the first body's axes, in space axes for ground"},
    {"constraint", "limits", ZW_KEY_ANY, LATER, .forms = JOINTS, .instead = ONLY_JOINTS, .doc = "Stops"},
    {"constraint", "motion", ZW_KEY_MAP, 0, .of = "motion", .forms = JOINTS, .doc = "Prescribed motion of the ground side"},
    {"constraint", "zero", ZW_KEY_E, LATER, .scope = ZW_OF_OTHER, .forms = "surface", .instead = ONLY_JOINTS,
     .doc = "The surface is where this is 0"},
    {"constraint", "on", ZW_KEY_NAME, REQ, .forms = "nonholonomic", .doc = "The body, a lagrangian"},
    {"constraint", "on", ZW_KEY_ANY, LATER, .forms = "unilateral", .instead = ONLY_JOINTS, .doc = "The body"},
    {"constraint", "points", ZW_KEY_ANY, LATER, .forms = "unilateral", .instead = ONLY_JOINTS, .doc = "The points it holds for"},
    {"constraint", "restitution", ZW_KEY_E, LATER, .forms = "unilateral", .instead = ONLY_JOINTS,
     .doc = "Restitution of an impact; or give loss"},
    {"constraint", "loss", ZW_KEY_E, LATER, .forms = "unilateral", .instead = ONLY_JOINTS, .doc = "Loss of energy in an impact"},
    {"constraint", "stiffness", ZW_KEY_E, LATER, .forms = "spring", .instead = ONLY_JOINTS, .doc = "Stiffness, N/m"},
    /* ---- loads */
    {"load", "force", ZW_KEY_V3, MAIN, .field = FIELD(zw_load_def, v), .scope = ZW_OF_PLACE, .doc = "Force, N, or N/m per length"},
    {"load", "moment", ZW_KEY_V3, MAIN, .field = FIELD(zw_load_def, v), .scope = ZW_OF_PLACE, .doc = "Moment, N m, or N per length"},
    {"load", "pressure", ZW_KEY_E, MAIN | LATER, .scope = ZW_OF_PLACE, .instead = "this version has force and moment",
     .doc = "Pressure on a face, Pa"},
    {"load", "on", ZW_KEY_PLACE, REQ, .doc = "Where it acts; a rod without s: all along it"},
    {"load", "s", ZW_KEY_LABEL, 0, .doc = "Label of the place, when the body is given by name"},
    {"load", "at", ZW_KEY_V3, LATER, .instead = ONLY_PLACES, .doc = "Point in body axes"},
    {"load", "point", ZW_KEY_NAME, 0, .doc = "Point of a lagrangian, when the body is given by name"},
    {"load", "face", ZW_KEY_NAME, LATER, .instead = ONLY_PLACES, .doc = "A named face"},
    {"load", "axes", ZW_KEY_WORD, 0, .words = "space|directors", .initial = "space",
     .doc = "Axes of the components; directors: it follows the rod"},
    {"load", "per", ZW_KEY_WORD, 0, .words = "point|length|volume", .later = "volume", .initial = "point at a place, length on a whole rod",
     .instead = "this version has point and length", .doc = "At a point, or per label length all along the rod"},
    /* ---- contact */
    {"contact", "pairs", ZW_KEY_ANY, LATER, .initial = "all", .doc = "Which bodies meet: all, or [[a, b], ..]"},
    {"contact", "self", ZW_KEY_BOOL, LATER, .initial = "false", .doc = "Whether a body meets itself"},
    {"contact", "law", ZW_KEY_WORD, LATER, .words = "reflect|moreau|sequential|compliant", .doc = "The impact law"},
    {"contact", "restitution", ZW_KEY_E, LATER, .doc = "Restitution; or give loss"},
    {"contact", "loss", ZW_KEY_E, LATER, .doc = "Loss of energy"},
    {"contact", "friction", ZW_KEY_E, LATER, .initial = "0", .doc = "Coefficient of friction"},
    /* ---- run */
    {"run", "until", ZW_KEY_E, REQ, .field = FIELD(zw_run_def, until), .doc = "End of the motion, s"},
    {"run", "step", ZW_KEY_E, 0, .field = FIELD(zw_run_def, step), .initial = "chosen from the stability limit", .doc = "Time step, s"},
    {"run", "tolerance", ZW_KEY_E, 0, .field = FIELD(zw_run_def, tolerance), .doc = "Local error that a step may have, relative, where the length of the steps is chosen (gauss without step); default 1e-13"},
    {"run", "integrator", ZW_KEY_WORD, 0, .words = "verlet|energy-momentum|gauss|poisson|poisson-consistent|hamel",
     .later = "energy-momentum", .initial = "gauss with a lagrangian, verlet otherwise",
     .instead = "this version has verlet, gauss, poisson, poisson-consistent and hamel",
     .doc = "The integrator; lagrangians need gauss, fields one of the last three"},
    {"run", "poisson", ZW_KEY_MAP, 0, .of = "poisson", .doc = "Options of the integrators poisson and hamel"},
    {"run", "stages", ZW_KEY_COUNT, 0, .doc = "Stages of gauss, 1 to 4: its order is twice that"},
    {"run", "formulation", ZW_KEY_WORD, 0, .words = "gauss|multiplier|macmillan", .initial = "gauss",
     .doc = "How gauss finds accelerations: by Gauss's principle (projection), Chetaev's multipliers, or Mac-Millan's reduced equations"},
    {"run", "mode", ZW_KEY_WORD, 0, .words = "dynamic|quasi-static|overdamped", .later = "quasi-static|overdamped", .initial = "dynamic",
     .instead = "this version has dynamic; damping leads to equilibrium", .doc = "Which motion"},
    {"run", "drag", ZW_KEY_E, LATER, .instead = "it belongs to overdamped motion, and this version has dynamic",
     .doc = "Drag per current length"},
    {"run", "events", ZW_KEY_WORD, 0, .words = "on|off", .initial = "on",
     .doc = "Whether events are located; this version has none to locate"},
    {"run", "seed", ZW_KEY_COUNT, 0, .initial = "0", .doc = "Seed of random numbers, kept with the results"},
    {"run", "threads", ZW_KEY_COUNT, 0, .initial = "the program's", .doc = "Threads to use; results do not depend on it"},
    {"poisson", "ends", ZW_KEY_WORD, 0, .words = "full|half", .initial = "full",
     .doc = "Mass of the end nodes: a whole cell, as printed, or half a cell"},
    {"poisson", "reconstruct", ZW_KEY_WORD, 0, .words = "old|new|mean", .initial = "old",
     .doc = "Velocity that moves the frames of rods: before the step, as printed, after it, or the mean"},
    /* ---- statics, modes */
    {"statics", "vary", ZW_KEY_NAME, LATER, .doc = "The parameter to vary"},
    {"statics", "from", ZW_KEY_E, LATER, .doc = "First value"},
    {"statics", "to", ZW_KEY_E, LATER, .doc = "Last value"},
    {"statics", "points", ZW_KEY_COUNT, LATER, .doc = "Number of values"},
    {"statics", "branches", ZW_KEY_ANY, LATER, .doc = "Whether branches are followed"},
    {"modes", "count", ZW_KEY_COUNT, LATER, .doc = "How many"},
    {"modes", "about", ZW_KEY_WORD, LATER, .words = "start|equilibrium|steady", .doc = "The state they are about"},
    {"modes", "damped", ZW_KEY_BOOL, LATER, .doc = "With damping"},
    {"modes", "critical", ZW_KEY_NAME, LATER, .doc = "The parameter whose critical value is sought"},
    /* ---- record */
    {"record", "every", ZW_KEY_COUNT, MAIN, .doc = "A frame every so many steps"},
    {"record", "interval", ZW_KEY_E, MAIN, .field = FIELD(zw_record_def, interval), .doc = "A frame at these intervals of time, s"},
    {"record", "frames", ZW_KEY_COUNT, MAIN, .initial = "200", .doc = "So many frames in all"},
    {"record", "fields", ZW_KEY_WORDS, 0,
     .words = "position|orientation|velocity|spin|strain|curvature|force|moment|temperature|mu|gamma|coordinates|velocities|quasi|points",
     .later = "temperature", .initial = "position and orientation; mu and gamma; all of a lagrangian",
     .instead = "this version has rods without heat", .doc = "What is kept of every node or link in each frame"},
    /* ---- probes */
    {"probe", "position", ZW_KEY_PLACE, MAIN, .doc = "Position of a place, space axes (3 numbers)"},
    {"probe", "velocity", ZW_KEY_PLACE, MAIN, .doc = "Velocity of a place, space axes (3)"},
    {"probe", "orientation", ZW_KEY_PLACE, MAIN, .doc = "Orientation as a unit quaternion w, x, y, z (4)"},
    {"probe", "strain", ZW_KEY_PLACE, MAIN, .doc = "Shear, shear, stretch along d1, d2, d3 (3)"},
    {"probe", "curvature", ZW_KEY_PLACE, MAIN, .doc = "Bend, bend, twist along d1, d2, d3, 1/m (3)"},
    {"probe", "force", ZW_KEY_PLACE, MAIN, .doc = "Internal force along d1, d2, d3, N (3)"},
    {"probe", "moment", ZW_KEY_PLACE, MAIN, .doc = "Internal moment along d1, d2, d3, N m (3)"},
    {"probe", "temperature", ZW_KEY_PLACE, MAIN | LATER, .instead = "this version has rods without heat", .doc = "Temperature of a place"},
    {"probe", "reaction", ZW_KEY_NAME, MAIN, .doc = "Force and moment that a constraint puts on its first body, space axes (6)"},
    {"probe", "multiplier", ZW_KEY_NAME, MAIN,
     .doc = "The multipliers of a constraint, one per held component; of an equation of a lagrangian, BODY.NAME (1)"},
    {"probe", "coordinate", ZW_KEY_NAME, MAIN, .doc = "A coordinate or velocity of a lagrangian: BODY.NAME or BODY.NAMEdot (1)"},
    {"probe", "energy", ZW_KEY_NAME, MAIN, .doc = "total, kinetic, elastic, potential, or a body's name, J (1)"},
    {"probe", "length", ZW_KEY_NAME, MAIN, .doc = "Current length of a rod, m (1)"},
    {"probe", "expression", ZW_KEY_E, MAIN, .scope = ZW_OF_PROBES,
     .doc = "An expression of t, parameters and the probes above it (1 or 3)"},
    {"probe", "s", ZW_KEY_LABEL, 0, .forms = AT_PLACES, .doc = "Label of the place, when the body is given by name"},
    {"probe", "at", ZW_KEY_V3, LATER, .forms = AT_PLACES, .instead = ONLY_PLACES, .doc = "Point in body axes"},
    {"probe", "point", ZW_KEY_NAME, 0, .forms = AT_PLACES, .doc = "Point of a lagrangian, when the body is given by name"},
    {"probe", "face", ZW_KEY_NAME, LATER, .forms = AT_PLACES, .instead = ONLY_PLACES, .doc = "A named face"},
    {"probe", "in", ZW_KEY_NAME, LATER, .forms = AT_PLACES, .instead = "this version has space axes only",
     .doc = "The frame of the components"},
};
const int zw_schema_nkeys = (int)(sizeof zw_schema_keys / sizeof zw_schema_keys[0]);

const zw_schema_owner *zw_schema_owner_find(const char *name) {
    for (int i = 0; i < zw_schema_nowners; i++) {
        if (strcmp(zw_schema_owners[i].name, name) == 0) {
            return &zw_schema_owners[i];
        }
    }
    return NULL;
}

bool zw_schema_has_word(const char *words, const char *word) {
    size_t n = strlen(word);
    for (const char *p = words; p && *p;) {
        size_t k = strcspn(p, "|");
        if (k == n && memcmp(p, word, n) == 0) {
            return true;
        }
        p += k + (p[k] == '|');
    }
    return false;
}

const zw_schema_key *zw_schema_find(const char *owner, const char *key, const char *form) {
    const zw_schema_key *first = NULL;
    for (int i = 0; i < zw_schema_nkeys; i++) {
        const zw_schema_key *k = &zw_schema_keys[i];
        if (strcmp(k->owner, owner) != 0 || strcmp(k->key, key) != 0) {
            continue;
        }
        if (form && zw_schema_has_word(k->forms, form)) {
            return k;
        }
        first = first ? first : k;
    }
    return first;
}

const char *zw_schema_type_phrase(zw_schema_type type) {
    static const char *const phrases[] = {
        [ZW_KEY_E] = "a number or an expression",
        [ZW_KEY_V2] = "a list of 2 numbers or expressions",
        [ZW_KEY_V3] = "a list of 3 numbers or expressions",
        [ZW_KEY_E_OR_V3] = "a number or an expression, or a list of 3",
        [ZW_KEY_VN] = "a list of numbers or expressions",
        [ZW_KEY_M66] = "a list of 6 rows with 6 numbers each",
        [ZW_KEY_POINTS] = "a list of points [x, y, z]",
        [ZW_KEY_COUNT] = "a whole number",
        [ZW_KEY_LABEL] = "a number or an expression, or end",
        [ZW_KEY_TEXT] = "text",
        [ZW_KEY_RELATION] = "an equation or inequality",
        [ZW_KEY_WORD] = "a word",
        [ZW_KEY_WORDS] = "a list of words",
        [ZW_KEY_BOOL] = "true or false",
        [ZW_KEY_NAME] = "a name",
        [ZW_KEY_NAMES] = "a list of names",
        [ZW_KEY_PAIRS] = "a list of pairs of names, [[a, b], ..]",
        [ZW_KEY_MAP] = "a map of keys",
        [ZW_KEY_NAMED] = "a map of names",
        [ZW_KEY_NAMED_E] = "a map of names with numbers or expressions",
        [ZW_KEY_NAMED_V3] = "a map of names with vectors",
        [ZW_KEY_NAMED_E_OR_V3] = "a map of names with numbers, expressions or vectors",
        [ZW_KEY_NAMED_V3_OR_MAP] = "a map of names with vectors or maps of keys",
        [ZW_KEY_RELATIONS] = "a list of equations, or a map of names with equations",
        [ZW_KEY_WORD_OR_MAP] = "a word or a map of keys",
        [ZW_KEY_V3_OR_MAP] = "a list of 3 numbers or expressions, or a map of keys",
        [ZW_KEY_PLACE] = "a body's name, or {body: NAME, s: ..}",
        [ZW_KEY_PLACES] = "a body's name, {body: NAME, s: ..}, or a list of two places",
        [ZW_KEY_TO] = "ground, a frame, or a place",
        [ZW_KEY_ANY] = "a value",
    };
    return phrases[type];
}
