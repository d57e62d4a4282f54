package dev.informer.source;

/**
 * Takes the items of a list one by one, while the response is being read.
 *
 * @param <T> the type of the objects
 */
public interface ListSink<T> {

	/**
	 * Takes an item.
	 * @param object the decoded object
	 */
	void accept(T object);

	/**
	 * Takes notice of an item that could not be decoded. It is there at the server all
	 * the same, so its absence must not be read as a deletion.
	 * @param object what could be read of it
	 */
	void acceptUndecodable(UndecodableObject object);

}
