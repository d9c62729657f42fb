import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Says what each call of a checkout means to javac.
 *
 * <pre>
 * java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED \
 *   Witness.java CLASSPATH CHECKOUT GROUP... > FACTS
 * </pre>
 *
 * CLASSPATH may be "-". A GROUP is folders of the checkout that are compiled together, with commas
 * between; what is declared in a group before is known to those after it by its sources. One JSON
 * object a line, as the judge beside this folder reads them: file, line and name of a call, and
 * target_file and target_line of the declaration, where "" is one of the library or a dependency;
 * "also" lists further places that are as right: a class beside its constructor. A call that javac
 * cannot attribute, as for want of a dependency, is not told.
 */
public final class Witness {
  private final Path root;
  private final PrintStream out;

  private Witness(Path root, PrintStream out) {
    this.root = root;
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[1]).toRealPath();
    try (PrintStream out =
        new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8)) {
      Witness witness = new Witness(root, out);
      List<String> before = new ArrayList<>();
      for (int i = 2; i < args.length; i++) {
        List<String> group = new ArrayList<>();
        for (String folder : args[i].split(",")) {
          group.add(root.resolve(folder).toString());
        }
        witness.group(args[0], before, group);
        before.addAll(group);
      }
    }
  }

  private void group(String classpath, List<String> before, List<String> folders)
      throws IOException {
    List<Path> files = new ArrayList<>();
    for (String folder : folders) {
      try (Stream<Path> walk = Files.walk(Path.of(folder))) {
        walk.filter(p -> p.toString().endsWith(".java"))
            .filter(p -> !p.endsWith("module-info.java") && !p.endsWith("package-info.java"))
            .sorted()
            .forEach(files::add);
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    List<String> options =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-implicit:none",
                "-XDshould-stop.ifError=FLOW",
                "-XDshould-stop.ifNoError=FLOW",
                "-Xmaxerrs",
                "1000000"));
    if (!classpath.equals("-")) {
      options.addAll(List.of("-classpath", classpath));
    }
    List<String> sources = new ArrayList<>(before);
    sources.addAll(folders);
    options.addAll(List.of("-sourcepath", String.join(":", sources)));
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(problems, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, problems, options, null, manager.getJavaFileObjectsFromPaths(files));
      Set<CompilationUnitTree> units = new LinkedHashSet<>();
      for (CompilationUnitTree unit : task.parse()) {
        units.add(unit);
      }
      task.analyze();
      Trees trees = Trees.instance(task);
      for (CompilationUnitTree unit : units) {
        new Scanner(trees, unit).scan(unit, null);
      }
    }
    System.err.printf(
        "%s: %d files, %d problems%n", folders, files.size(), problems.getDiagnostics().size());
  }

  private final class Scanner extends TreePathScanner<Void, Void> {
    private final Trees trees;
    private final CompilationUnitTree unit;

    Scanner(Trees trees, CompilationUnitTree unit) {
      this.trees = trees;
      this.unit = unit;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
      ExpressionTree select = call.getMethodSelect();
      Element e = trees.getElement(new TreePath(getCurrentPath(), select));
      tell(select, nameOf(select), e);
      return super.visitMethodInvocation(call, unused);
    }

    @Override
    public Void visitNewClass(NewClassTree call, Void unused) {
      Tree type = call.getIdentifier();
      TreePath path = new TreePath(getCurrentPath(), type);
      while (type instanceof ParameterizedTypeTree || type instanceof AnnotatedTypeTree) {
        type =
            type instanceof ParameterizedTypeTree p
                ? p.getType()
                : ((AnnotatedTypeTree) type).getUnderlyingType();
        path = new TreePath(path, type);
      }
      Element e = trees.getElement(path);
      Element made = trees.getElement(getCurrentPath());
      tell(type, nameOf(type), e, call.getClassBody() == null ? made : null);
      return super.visitNewClass(call, unused);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree ref, Void unused) {
      if (ref.getMode() == MemberReferenceTree.ReferenceMode.NEW) {
        Tree type = ref.getQualifierExpression();
        tell(type, nameOf(type), trees.getElement(new TreePath(getCurrentPath(), type)));
      }
      return super.visitMemberReference(ref, unused);
    }

    private String nameOf(Tree t) {
      if (t instanceof IdentifierTree i) {
        return i.getName().toString();
      }
      return t instanceof MemberSelectTree m ? m.getIdentifier().toString() : "";
    }

    private void tell(Tree at, String name, Element... found) {
      Element e = found[0];
      if (name.isEmpty() || e == null || e.asType().getKind() == TypeKind.ERROR) {
        return;
      }
      if (e.getKind() == ElementKind.TYPE_PARAMETER || !(e instanceof ExecutableElement || e instanceof TypeElement)) {
        return;
      }
      long end = trees.getSourcePositions().getEndPosition(unit, at);
      if (end < 0) {
        return;
      }
      List<String> places = new ArrayList<>();
      for (Element one : found) {
        if (one != null) {
          place(one, places);
          if (one.getKind() == ElementKind.CONSTRUCTOR) {
            place(one.getEnclosingElement(), places);
          }
        }
      }
      StringBuilder line = new StringBuilder();
      line.append("{\"file\":").append(quoted(relative(unit)));
      line.append(",\"line\":").append(unit.getLineMap().getLineNumber(end - 1));
      line.append(",\"name\":").append(quoted(name));
      if (places.isEmpty()) {
        line.append(",\"target_file\":\"\"");
      } else {
        line.append(",\"target_file\":").append(places.get(0).replaceFirst(":", ",\"target_line\":"));
        StringBuilder also = new StringBuilder();
        for (String p : places.subList(1, places.size())) {
          also.append(also.isEmpty() ? "" : ",");
          also.append("{\"file\":").append(p.replaceFirst(":", ",\"line\":")).append('}');
        }
        if (!also.isEmpty()) {
          line.append(",\"also\":[").append(also).append(']');
        }
      }
      out.append(line.append("}\n"));
    }

    /** Adds where an element is declared, as "file":line, unless it is no source of the checkout. */
    private void place(Element e, List<String> places) {
      TreePath path = trees.getPath(e);
      if (path == null && e instanceof ExecutableElement m && m.getParameters().isEmpty()) {
        for (Element part : e.getEnclosingElement().getEnclosedElements()) { // of a record
          if (part.getKind() == ElementKind.RECORD_COMPONENT
              && part.getSimpleName().equals(e.getSimpleName())) {
            path = trees.getPath(e.getEnclosingElement());
          }
        }
      }
      if (path == null && e.getKind() == ElementKind.CONSTRUCTOR) {
        path = trees.getPath(e.getEnclosingElement());
      }
      if (path == null) {
        return;
      }
      CompilationUnitTree where = path.getCompilationUnit();
      String file = relative(where);
      if (file == null) {
        return;
      }
      int pos = ((JCTree) path.getLeaf()).pos;
      if (path.getLeaf() instanceof ClassTree c) {
        pos = nameAfter(where, pos, c.getSimpleName().toString());
      }
      String place = quoted(file) + ":" + where.getLineMap().getLineNumber(pos);
      if (!places.contains(place)) {
        places.add(place);
      }
    }

    private int nameAfter(CompilationUnitTree where, int pos, String name) {
      try {
        int at = where.getSourceFile().getCharContent(true).toString().indexOf(name, pos);
        return at < 0 ? pos : at;
      } catch (IOException e) {
        return pos;
      }
    }

    private String relative(CompilationUnitTree unit) {
      Path p = Path.of(unit.getSourceFile().toUri());
      return p.startsWith(root) ? root.relativize(p).toString().replace('\\', '/') : null;
    }
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
