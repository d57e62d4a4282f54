package dev.informer.spring.config;

/**
 * A bean asks for an informer or a lister of something that is no resource.
 */
public class InvalidInjectionPointException extends IllegalStateException {

	/**
	 * Creates an exception.
	 * @param place the constructor, method or field
	 * @param reason what is wrong
	 */
	public InvalidInjectionPointException(Object place, String reason) {
		super("There can be no informer and no lister for " + place + ": " + reason);
	}

}
