/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import dev.informer.CredentialsException;
import dev.informer.TimeSource;
import dev.informer.spring.kubeconfig.KubeconfigSection;
import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;

/**
 * Credential plugin of a kubeconfig. Its standard output is never part of a message, its
 * standard error is bounded and freed from what looks like a token.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">client-go
 * credential plugins</a>
 */
final class ExecPlugin implements RenewableCredentials.Provider {

	static final Duration DEADLINE = Duration.ofSeconds(30);

	private static final String GROUP = "client.authentication.k8s.io/";

	private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");

	private static final Set<String> KEYS = Set.of("apiVersion", "command", "args", "env", "installHint",
			"provideClusterInfo", "interactiveMode");

	private static final Set<String> INTERACTIVE_MODES = Set.of("Never", "IfAvailable", "Always");

	private static final int MAX_OUTPUT = 1 << 20;

	private static final int MAX_ERRORS = 1000;

	private static final Pattern SECRET = Pattern
		.compile("eyJ[\\w.+/=-]{10,}|k8s-aws-v1\\.[\\w=-]+|ya29\\.[\\w.-]+|-----BEGIN.*|(?i)bearer\\s+\\S+"
				+ "|(?<=://)[^/\\s@]+(?=@)|(?<=token|secret|password)[\"']?\\s*[:=]\\s*\\S+", Pattern.DOTALL);

	private final String name;

	private final String apiVersion;

	private final List<String> command;

	private final Map<String, String> environment = new LinkedHashMap<>();

	private final String installHint;

	private final Duration deadline;

	/**
	 * Create a plugin.
	 * @param exec the section {@code exec} of the user
	 * @param user the name of the user
	 * @param cluster the cluster, as the plugin gets it
	 * @param environment the environment of this process
	 * @param deadline the maximum time of one run
	 */
	ExecPlugin(KubeconfigSection exec, String user, Map<String, Object> cluster,
			UnaryOperator<@Nullable String> environment, Duration deadline) {
		exec.rejectUnknownKeys(KEYS);
		this.deadline = deadline;
		this.apiVersion = exec.requiredText("apiVersion");
		if (!VERSIONS.contains(this.apiVersion)) {
			throw exec.invalid("apiVersion", "'" + this.apiVersion + "' is unsupported",
					"Update the plugin and use " + GROUP + "v1.");
		}
		checkInteractiveMode(exec);
		String hint = exec.text("installHint");
		this.installHint = (hint != null) ? " " + hint.strip() : "";
		this.name = "credential plugin '" + exec.requiredText("command") + "' of user '" + user + "'";
		this.command = new ArrayList<>(List.of(command(exec, environment)));
		this.command.addAll(exec.texts("args"));
		exec.sections("env").forEach((variable) -> {
			String value = variable.text("value");
			this.environment.put(variable.requiredText("name"), (value != null) ? value : "");
		});
		this.environment.put("KUBERNETES_EXEC_INFO", info(exec.isTrue("provideClusterInfo") ? cluster : null));
	}

	private void checkInteractiveMode(KubeconfigSection exec) {
		String mode = exec.text("interactiveMode");
		if (mode == null && this.apiVersion.endsWith("v1")) {
			throw exec.invalid("interactiveMode", "is missing", "Add interactiveMode: Never or IfAvailable.");
		}
		if (mode != null && !INTERACTIVE_MODES.contains(mode)) {
			throw exec.invalid("interactiveMode", "'" + mode + "' is unknown", "Use Never or IfAvailable.");
		}
		if ("Always".equals(mode)) {
			throw exec.invalid("interactiveMode",
					"is Always, but standard input is not available to a plugin of an application",
					"Use a plugin that needs no input, with interactiveMode: Never.");
		}
	}

	private String command(KubeconfigSection exec, UnaryOperator<@Nullable String> environment) {
		String command = exec.requiredText("command");
		if (command.contains("/") || command.contains(File.separator)) {
			Path file = Objects.requireNonNull(exec.resolvePath("command"));
			if (Files.isExecutable(file)) {
				return file.toString();
			}
			throw exec.invalid("command", "names '" + file + "', which is not an executable file",
					"Install the plugin." + this.installHint);
		}
		String path = environment.apply("PATH");
		for (String folder : ((path != null) ? path : "").split(Pattern.quote(File.pathSeparator))) {
			Path file = Path.of(folder.isEmpty() ? "." : folder, command);
			if (Files.isExecutable(file) && Files.isRegularFile(file)) {
				return file.toString();
			}
		}
		if (File.separatorChar == '\\') {
			return command;
		}
		throw exec.invalid("command", "names '" + command + "', which is not on the PATH of the application",
				"Install the plugin." + this.installHint);
	}

	private String info(@Nullable Map<String, Object> cluster) {
		Map<String, Object> spec = new LinkedHashMap<>();
		if (cluster != null) {
			spec.put("cluster", cluster);
		}
		spec.put("interactive", false);
		Map<String, Object> info = new LinkedHashMap<>();
		info.put("kind", "ExecCredential");
		info.put("apiVersion", this.apiVersion);
		info.put("spec", spec);
		return JSON.getGson().toJson(info);
	}

	@Override
	public Credential obtain() throws IOException {
		ProcessBuilder builder = new ProcessBuilder(this.command);
		builder.environment().putAll(this.environment);
		Process process;
		try {
			process = builder.start();
		}
		catch (IOException ex) {
			throw failure("could not be started (" + ex.getMessage() + ")");
		}
		// A plugin that hangs would outlive this JVM.
		Thread hook = new Thread(() -> kill(process), "informer-credentials-shutdown");
		try {
			Runtime.getRuntime().addShutdownHook(hook);
			process.getOutputStream().close();
			Output output = new Output(process.getInputStream(), MAX_OUTPUT);
			Output errors = new Output(process.getErrorStream(), MAX_ERRORS);
			if (!process.waitFor(TimeSource.nanos(this.deadline), TimeUnit.NANOSECONDS)) {
				throw failure("did not finish within " + TimeSource.millis(this.deadline) + " ms" + stderr(errors));
			}
			String json = output.await();
			if (process.exitValue() != 0) {
				throw failure("failed with exit code " + process.exitValue() + stderr(errors));
			}
			return new ExecCredential(this.apiVersion).read(json);
		}
		catch (ExecCredential.InvalidException ex) {
			throw failure("returned an invalid credential: " + ex.getMessage());
		}
		catch (InterruptedException ex) {
			throw failure("was interrupted");
		}
		catch (IllegalStateException ex) {
			throw failure("was started during the shutdown");
		}
		finally {
			kill(process);
			removeShutdownHook(hook);
		}
	}

	private static void kill(Process process) {
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly();
	}

	private static void removeShutdownHook(Thread hook) {
		try {
			Runtime.getRuntime().removeShutdownHook(hook);
		}
		catch (IllegalStateException ex) {
			// ignored: the JVM is shutting down
		}
	}

	private static String stderr(Output errors) throws InterruptedException {
		String text = SECRET.matcher(errors.await()).replaceAll("***").strip().replaceAll("\\s+", " ");
		return text.isEmpty() ? "" : " (" + text + ")";
	}

	private CredentialsException failure(String problem) {
		return new CredentialsException(Character.toUpperCase(this.name.charAt(0)) + this.name.substring(1) + " "
				+ problem + "." + this.installHint);
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Reader of an output, bounded in size and time: a process that the plugin started
	 * may keep the output open.
	 */
	private static final class Output {

		private static final long GRACE = 500;

		private final ByteArrayOutputStream content = new ByteArrayOutputStream();

		private final Thread thread;

		Output(InputStream input, int max) {
			this.thread = new Thread(() -> read(input, max), "informer-credentials-output");
			this.thread.setDaemon(true);
			this.thread.start();
		}

		private void read(InputStream input, int max) {
			byte[] buffer = new byte[4096];
			try (input) {
				for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
					synchronized (this.content) {
						this.content.write(buffer, 0, Math.min(count, max - this.content.size()));
					}
				}
			}
			catch (IOException ex) {
				// ignored: the process was killed, the output up to then is sufficient
			}
		}

		String await() throws InterruptedException {
			this.thread.join(GRACE);
			synchronized (this.content) {
				return this.content.toString(StandardCharsets.UTF_8);
			}
		}

	}

}
