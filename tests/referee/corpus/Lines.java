// Java's System.out and System.err, a buffered stream on the descriptor itself, and a file.
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

public class Lines {
  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < 300; i++) {
      System.out.println("line " + i);
      if (i % 10 == 0) System.err.println("error " + i);
    }
    PrintStream buffered =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 16384));
    for (int i = 0; i < 5000; i++) buffered.println("buffered " + i);
    buffered.flush();
    System.out.write(new byte[500000], 0, 500000);
    try (FileOutputStream file = new FileOutputStream("java.out")) {
      file.write("in a file\n".getBytes());
    }
    System.out.print("the end");
  }
}
